package timeline

import (
	"io"
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/replay"
)

// Whatever stands in a cassette, showing it ends, in every format.
func FuzzShow(f *testing.F) {
	f.Add(session1)
	f.Add(header + `{"at":1,"from":"client","exchange":1,"http":{"method":"POST","path":"/","header":{}}}` + "\n" +
		`{"at":1,"from":"server","exchange":1,"session":2,"http":{"status":500,"header":{}}}` + "\n" + `{"at":2,"from":"server","exchange":1,"end":"reset"}`)
	f.Add(header + `{"at":1,"from":"server","message":[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{}]}}]}`)
	f.Fuzz(func(t *testing.T, cassette string) {
		r, err := replay.NewReader(strings.NewReader(cassette), "x")
		if err != nil {
			return
		}
		if tl, err := Read(r); err == nil {
			for _, err := range []error{tl.WriteText(io.Discard, nil), tl.WriteJSON(io.Discard)} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err = replay.NewReader(strings.NewReader(cassette), "x")
		if err != nil {
			t.Fatal(err)
		}
		_ = WriteHTML(io.Discard, r, nil) // the error is one of reading
	})
}
