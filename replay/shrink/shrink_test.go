package shrink

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/replay"
)

const header = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x","args":[]},"rules":{"built-in":1}}` + "\n"

// long is a session of 40 calls, of which the 23rd is answered with something odd.
func long() string {
	var b strings.Builder
	b.WriteString(header)
	for i := range 40 {
		text := "fine"
		if i == 23 {
			text = "it went boom in the middle of it all"
		}
		fmt.Fprintf(&b, `{"at":%d.000000,"from":"client","message":{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"n":%d,"pad":"xxxxxxxx"},"_meta":{"progressToken":%d}}}}`+"\n", i, i, i*100, i)
		fmt.Fprintf(&b, `{"at":%d.100000,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}}`+"\n", i, i)
		fmt.Fprintf(&b, `{"at":%d.200000,"from":"server","message":{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"first"},{"type":"text","text":"%s"}]}}}`+"\n", i, i, text)
		fmt.Fprintf(&b, `{"at":%d.300000,"from":"server","stderr":"log line %d\n"}`+"\n", i, i)
	}
	return b.String()
}

func open(t *testing.T, data string) *replay.Cassette {
	t.Helper()
	c, err := replay.Parse([]byte(data), "test.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// contains keeps what holds all of the texts, and fails the test where a candidate is no cassette.
func contains(t *testing.T, texts ...string) Keep {
	return func(_ context.Context, path string) (bool, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return false, err
		}
		if _, err := replay.Parse(data, path); err != nil {
			t.Errorf("a candidate is no cassette: %v", err)
		}
		return !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(string(data), s) }), nil
	}
}

func TestShrink(t *testing.T) {
	for _, c := range []struct {
		name string
		keep []string
		want string
	}{
		{"an answer", []string{"boom"},
			`{"at":23.200000,"from":"server","message":{"jsonrpc":"2.0","id":23,"result":{"content":[{"text":"boom"}]}}}` + "\n"},
		{"a request and its answer", []string{"boom", "tools/call", "2300"},
			`{"at":23.000000,"from":"client","message":{"jsonrpc":"2.0","id":23,"method":"tools/call","params":{"arguments":{"n":2300}}}}` + "\n" +
				`{"at":23.200000,"from":"server","message":{"jsonrpc":"2.0","id":23,"result":{"content":[{"text":"boom"}]}}}` + "\n"},
		{"a line on stderr", []string{"line 7"}, `{"at":7.300000,"from":"server","stderr":"line 7"}` + "\n"},
		{"nothing of it", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "small.jsonl")
			var runs []int
			for range 2 {
				result, err := Run(t.Context(), open(t, long()), out, contains(t, c.keep...), nil)
				if err != nil {
					t.Fatal(err)
				}
				runs = append(runs, result.Runs)
				if !result.Complete || result.FramesBefore != 160 || result.FramesAfter != strings.Count(c.want, "\n") {
					t.Errorf("result %+v", result)
				}
				got, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(header+c.want, string(got)); d != "" {
					t.Error(d)
				}
			}
			if runs[0] != runs[1] || runs[0] > 400 {
				t.Errorf("tests run: %v", runs)
			}
		})
	}
}

func TestShrinkIsNotShown(t *testing.T) {
	out := filepath.Join(t.TempDir(), "small.jsonl")
	if _, err := Run(t.Context(), open(t, long()), out, contains(t, "nowhere"), nil); !errors.Is(err, ErrNotShown) {
		t.Errorf("err %v", err)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Error("a file was left")
	}
}

// Whatever ends the search, the smallest cassette so far is there.
func TestShrinkEndsEarly(t *testing.T) {
	out := filepath.Join(t.TempDir(), "small.jsonl")
	result, err := Run(t.Context(), open(t, long()), out, contains(t, "boom"), &Options{MaxRuns: 12})
	if err != nil || result.Complete || result.Runs != 12 {
		t.Fatalf("%+v, %v", result, err)
	}
	c, err := replay.Open(out)
	if err != nil || c.Len() != result.FramesAfter || c.Len() >= 160 {
		t.Fatalf("%v, %d frames", err, c.Len())
	}
	c.Close()

	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	n := 0
	_, err = Run(ctx, open(t, long()), out, func(ctx context.Context, path string) (bool, error) {
		if n++; n == 9 {
			cancel(stop)
		}
		return contains(t, "boom")(ctx, path)
	}, nil)
	if !errors.Is(err, stop) {
		t.Errorf("err %v", err)
	}
	if c, err = replay.Open(out); err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestReduce(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	got, err := reduce(items, func(rest []int) (bool, error) {
		return slices.Contains(rest, 17) && slices.Contains(rest, 801) && slices.Contains(rest, 802), nil
	})
	if err != nil || cmp.Diff([]int{17, 801, 802}, got) != "" {
		t.Errorf("%v, %v", got, err)
	}
}
