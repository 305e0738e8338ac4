package replay

import (
	"context"

	"github.com/imurun/mcp-replay/mcp"
)

// Record gives a transport like t whose traffic tap is told: a *[mcp.Command] and an *[mcp.HTTP] tell it their wire, beside what
// they told before, and any other transport its messages. T itself stays as it is.
func Record(t mcp.Transport, tap mcp.Tap) mcp.Transport {
	switch t := t.(type) {
	case *mcp.Command:
		c := *t
		c.Tap = bothTaps(c.Tap, tap)
		return &c
	case *mcp.HTTP:
		h := *t
		h.Tap = bothTaps(h.Tap, tap)
		return &h
	}
	return &recordedTransport{t, tap}
}

type recordedTransport struct {
	mcp.Transport
	tap mcp.Tap
}

func (t *recordedTransport) Connect(ctx context.Context) (mcp.Conn, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return (&mcp.Memory{Conn: conn, Tap: t.tap}).Connect(ctx)
}

func bothTaps(a, b mcp.Tap) mcp.Tap {
	if a == nil {
		return b
	}
	return twoTaps{a, b}
}

type twoTaps struct{ a, b mcp.Tap }

func (t twoTaps) Frame(f mcp.Frame) {
	t.a.Frame(f)
	t.b.Frame(f)
}
