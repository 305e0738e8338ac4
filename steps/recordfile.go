package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
)

func hasAnswer(_ context.Context, w *World, name string, want Doc) error {
	got := "no answer"
	err := eachFrame(w, name, func(f *replay.Frame, _ string) {
		if m, err := jsonrpc.Parse(f.Data); f.Kind == mcp.FrameMessage && err == nil && m.Result != nil {
			got = unnumbered(string(m.Result))
		}
	})
	if err == nil && got != string(want) {
		err = fmt.Errorf("it has %s", got)
	}
	return err
}

func tells(_ context.Context, w *World, name string, want Doc) error {
	var lines []string
	err := eachFrame(w, name, func(f *replay.Frame, line string) {
		arrow := "< "
		if f.From == mcp.FromClient {
			arrow = "> "
		}
		_, members, _ := strings.Cut(line, `"from":`)
		_, members, _ = strings.Cut(members, ",")
		members = strings.TrimPrefix(members, `"message":`)
		lines = append(lines, arrow+unnumbered(strings.TrimSuffix(members, "}")))
	})
	if err != nil {
		return err
	}
	if diff := difference(strings.Split(string(want), "\n"), lines); diff != "" {
		return fmt.Errorf("it tells otherwise (- wanted, + got):\n%s", diff)
	}
	return nil
}

// unnumbered writes N for the numbers of secrets, which depend on the order in which they were met.
func unnumbered(line string) string {
	const mark = "[redacted:"
	parts := strings.Split(line, mark)
	for i, part := range parts[1:] {
		kind, rest, _ := strings.Cut(part, ":")
		_, rest, _ = strings.Cut(rest, "]")
		parts[i+1] = kind + ":N]" + rest
	}
	return strings.Join(parts, mark)
}

func tellsMessages(_ context.Context, w *World, name string, want int) error {
	count := 0
	err := eachFrame(w, name, func(f *replay.Frame, _ string) {
		if f.Kind == mcp.FrameMessage {
			count++
		}
	})
	if err == nil && count != want {
		err = fmt.Errorf("it tells %d", count)
	}
	return err
}

func readsWhole(_ context.Context, w *World, name string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	cassette, err := replay.Open(path)
	if err != nil {
		return err
	}
	defer cassette.Close()
	if cassette.Cut() {
		return errors.New("it is cut off inside a line")
	}
	return nil
}

// eachFrame reads a cassette of the scenario's folder, with the line that holds each frame.
func eachFrame(w *World, name string, f func(frame *replay.Frame, line string)) error {
	text, err := readFile(w, name)
	if err != nil {
		return err
	}
	reader, err := replay.NewReader(strings.NewReader(text), name)
	if err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	for i := 1; ; i++ {
		frame, err := reader.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		f(&frame, lines[i])
	}
}
