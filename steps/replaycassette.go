package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/imurun/mcp-replay/replay"
)

// writeCassette writes the header with the given members, and the frames.
func writeCassette(w *World, name, members, lines string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "{\"cassette\":1,\"recorded\":\"2026-12-01T10:00:00Z\",\"by\":\"steps\",%s}\n", members)
	at := 0
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		at++
		side := map[byte]string{'>': "client", '<': "server"}[line[0]]
		switch {
		case side != "":
			fmt.Fprintf(&b, "{\"at\":%d.%d00000,\"from\":%q,\"message\":%s}\n", at/10, at%10, side, strings.TrimSpace(line[1:]))
		case line[0] == '{':
			fmt.Fprintf(&b, "{\"at\":%d.%d00000,%s\n", at/10, at%10, line[1:])
		default:
			return fmt.Errorf("%q is neither a message (> or <) nor a frame", line)
		}
	}
	if _, err := replay.Parse([]byte(b.String()), name); err != nil {
		return err
	}
	return writeFile(context.Background(), w, name, Doc(strings.TrimSuffix(b.String(), "\n")))
}

// httpFrames turns the short notation for exchanges into frames.
func httpFrames(lines string) (string, error) {
	var b strings.Builder
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		words := strings.SplitN(line, " ", 4)
		if len(words) < 3 {
			return "", fmt.Errorf("%q is no line of an exchange", line)
		}
		exchange, side, rest := words[0], words[1], strings.Join(words[2:], " ")
		from := "client"
		if side == "<" {
			from = "server"
		}
		frame := func(payload string) {
			fmt.Fprintf(&b, "{\"from\":%q,\"exchange\":%s,\"session\":1,%s}\n", from, exchange, payload)
		}
		switch first := words[2]; {
		case side == ">":
			frame(`"http":{"method":"` + first + `","path":"/mcp","header":{}}`)
			if len(words) == 4 {
				frame(`"message":` + words[3])
			}
		case first == "end":
			frame(`"end":"complete"`)
		case first == "reset":
			frame(`"end":"reset"`)
		case first[0] == '{':
			frame(`"message":` + rest)
		case first[0] == '"':
			frame(`"body":` + rest)
		default:
			header := ""
			if len(words) == 4 {
				header = `"Content-Type":["` + words[3] + `"]`
			}
			frame(`"http":{"status":` + first + `,"header":{` + header + `}}`)
		}
	}
	return b.String(), nil
}
