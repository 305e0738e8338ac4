package replay

import (
	"context"
	"sync"

	"github.com/imurun/mcp-replay/mcp"
)

// An item is what a mailbox holds: a message, or one of the things that only HTTP has.
type item struct {
	kind   itemKind
	data   []byte
	event  *mcp.SSE
	head   *mcp.HTTPHead
	fault  *Fault
	failed error // of a request, in this program
	final  bool  // nothing comes after it
	bad    bool  // an error about what is no message, which HTTP answers with status 400; a break that is a reset
}

type itemKind uint8

const (
	itemMessage itemKind = iota
	itemHead
	itemBody
	itemEvent
	itemLost
	itemBreak // the stream ends here; it can be resumed
)

// A mailbox hands items from whoever plays to the one who reads, in order and without blocking the player. After fail
// what was put in before can still be taken.
type mailbox struct {
	wake chan struct{} // holds a token while there may be something to take

	mu    sync.Mutex // guards what follows
	items []item
	err   error
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (b *mailbox) put(i item) {
	b.mu.Lock()
	if b.err == nil {
		b.items = append(b.items, i)
	}
	b.mu.Unlock()
	b.signal()
}

func (b *mailbox) fail(err error) {
	b.mu.Lock()
	if b.err == nil {
		b.err = err
	}
	b.mu.Unlock()
	b.signal()
}

func (b *mailbox) failed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

func (b *mailbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take waits for an item, for the end of ctx, or for the error that was given to fail.
func (b *mailbox) take(ctx context.Context) (item, error) {
	for {
		b.mu.Lock()
		if len(b.items) > 0 {
			first := b.items[0]
			b.items[0] = item{}
			if b.items = b.items[1:]; len(b.items) == 0 {
				b.items = nil
			} else {
				b.signal()
			}
			b.mu.Unlock()
			return first, nil
		}
		err := b.err
		b.mu.Unlock()
		if err != nil {
			b.signal()
			return item{}, err
		}
		select {
		case <-b.wake:
		case <-ctx.Done():
			return item{}, context.Cause(ctx)
		}
	}
}
