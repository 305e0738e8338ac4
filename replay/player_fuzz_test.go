package replay

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// Whatever a cassette holds and whatever a host sends, the player neither panics nor hangs.
func FuzzPlay(f *testing.F) {
	f.Add(initialize, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	f.Add(`> {"jsonrpc":"2.0","id":1,"method":"a","params":{"x":"[redacted:k:1]"}}
		< {"jsonrpc":"2.0","id":2,"method":"b"}
		> {"jsonrpc":"2.0","id":2,"result":1}
		< {"jsonrpc":"2.0","id":1,"result":"[path:home]"}`, `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}
		{"jsonrpc":"2.0","id":2,"result":1}`)
	f.Add(`> [{"jsonrpc":"2.0","id":1,"method":"a"}]
		< [{"jsonrpc":"2.0","id":1,"result":1},7]`, `[{"jsonrpc":"2.0","id":1,"method":"a"}]`)
	f.Add(remote, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}`)
	f.Add(`> {"jsonrpc":"2.0","id":1,"method":"a"}
		> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
		{"from":"server","exit":{"code":1}}`, `{"jsonrpc":"2.0","id":1,"method":"a"}`)
	f.Fuzz(func(t *testing.T, lines, in string) {
		var b strings.Builder
		b.WriteString(header + "\n")
		for line := range strings.SplitSeq(lines, "\n") {
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "> "):
				b.WriteString(`{"at":1,"from":"client","message":` + line[2:] + "}\n")
			case strings.HasPrefix(line, "< "):
				b.WriteString(`{"at":2,"from":"server","message":` + line[2:] + "}\n")
			case strings.HasPrefix(line, "{"):
				b.WriteString(`{"at":3,` + line[1:] + "\n")
			}
		}
		c, err := Parse([]byte(b.String()), "fuzz")
		if err != nil {
			return
		}
		for _, match := range []Match{MatchMeaning, MatchStrict, MatchMethod} {
			p, err := NewPlayer(c, &PlayOptions{Match: match})
			if err != nil {
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			if _, err := p.ServeStdio(ctx, strings.NewReader(in), io.Discard, io.Discard); err != nil {
				t.Errorf("%v", err)
			}
			p.Unplayed()
			cancel()
		}
	})
}
