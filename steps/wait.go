package steps

import (
	"context"
	"time"
)

// patience is how long a step waits for what must come, and settle how long for what must not.
const (
	patience = 5 * time.Second
	settle   = 500 * time.Millisecond
	interval = 5 * time.Millisecond
)

// Eventually tries f until it returns nil, for 5 seconds at most; then it returns f's last error.
func Eventually(ctx context.Context, f func() error) error { return within(ctx, patience, f) }

// within tries f until it returns nil, and returns its last error when the time is over.
func within(ctx context.Context, limit time.Duration, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		err := f()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}

// settled tries f as [Eventually] does, and once more half a second later: nothing more may have come.
func settled(ctx context.Context, f func() error) error {
	if err := Eventually(ctx, f); err != nil {
		return err
	}
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	return f()
}
