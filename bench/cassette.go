package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

const (
	largeCassette = 1e9
	largeMessage  = 10_000_000 // one answer in the middle; the others have 1 to 32 kB
	largeCallers  = 8          // calls that are under way at a time
)

// measureCassette plays, shows and verifies a cassette of a gigabyte. What it takes is held against a program that scans the file's
// JSON once, by the JSON package's own decoder.
func measureCassette(p *programs) error {
	cassette := p.file("large.jsonl")
	defer os.Remove(cassette)
	frames, err := writeLarge(cassette)
	if err != nil {
		return err
	}
	const runs = 3
	jobs := []struct {
		name string
		run  func() (usage, error)
		took []usage
	}{
		{name: "scanned by jsontext", run: func() (usage, error) {
			cmd := rawServer("scan")
			cmd.Args = append(cmd.Args, cassette)
			return measureProcess(cmd, nil)
		}},
		{name: "play, first answer", run: func() (usage, error) { return p.playLarge(cassette) }},
		{name: "show", run: func() (usage, error) { return measureProcess(exec.Command(p.mcpReplay, "show", cassette), nil) }},
		{name: "show --format html", run: func() (usage, error) {
			return measureProcess(exec.Command(p.mcpReplay, "show", cassette, "--format", "html", "-o", p.file("large.html"), "--force"), nil)
		}},
		{name: "verify", run: func() (usage, error) {
			cmd := exec.Command(p.mcpReplay, "verify", cassette, "--yes", "--", os.Args[0])
			cmd.Env = append(os.Environ(), "BENCH_SERVE=pages")
			return measureProcess(cmd, nil)
		}},
	}
	for range runs {
		for i := range jobs {
			u, err := jobs[i].run()
			if err != nil {
				return fmt.Errorf("%s: %w", jobs[i].name, err)
			}
			jobs[i].took = append(jobs[i].took, u)
		}
	}
	allowed := 64 + 64*float64(frames)/1e6 + 3*largeMessage/1e6
	fmt.Printf("\na cassette of 1 GB, %d frames, the longest message %d MB; medians of %d\n%-24s %9s %8s %9s %10s\n", frames, largeMessage/1_000_000,
		runs, "", "seconds", "ratio", "cpu s", "peak MB")
	seconds := func(u usage) float64 { return u.seconds }
	mb := func(u usage) float64 { return u.mb }
	scan := median(jobs[0].took, seconds)
	for _, j := range jobs {
		fmt.Printf("%-24s %9.2f %8.2f %9.2f %10.1f\n", j.name, median(j.took, seconds), median(j.took, seconds)/scan,
			median(j.took, func(u usage) float64 { return u.cpu }), median(j.took, mb))
	}
	for _, j := range jobs[1:] {
		goal(j.name+": time by a scan's", median(j.took, seconds)/scan, 2, " ")
		goal(j.name+": memory", median(j.took, mb), allowed, " MB")
	}
	return nil
}

// playLarge plays until the first answer, and ends then.
func (p *programs) playLarge(cassette string) (usage, error) {
	cmd := p.play(cassette)
	in, err := cmd.StdinPipe()
	if err != nil {
		return usage{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return usage{}, err
	}
	return measureProcess(cmd, func() error {
		if _, err := io.WriteString(in, handshake); err != nil {
			return err
		}
		_, err := bufio.NewReader(out).ReadString('\n')
		return errors.Join(err, in.Close())
	})
}

// writeLarge writes a session of calls, so many at a time, and gives the number of its frames.
func writeLarge(path string) (frames int, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	s, err := newSession(file)
	if err != nil {
		return 0, err
	}
	size, id := 0, 0
	var asked [][]byte
	for size < largeCassette {
		asked = asked[:0]
		for range largeCallers {
			id++
			bytes := 1000 + id*7919%31_000
			if size < largeCassette/2 && size+bytes >= largeCassette/2 {
				bytes = largeMessage
			}
			asked = append(asked, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"page","arguments":{"page":%d,"size":%d}}}`, id, id, bytes))
			size += bytes
		}
		for _, request := range asked {
			s.message(mcp.FromClient, request)
		}
		for _, request := range asked {
			s.message(mcp.FromServer, answerPages(nil, request))
		}
	}
	return s.frames, s.end()
}

// scanOnce is the least that a reader of a cassette does.
func scanOnce(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	d := jsontext.NewDecoder(bufio.NewReaderSize(file, 256<<10), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := d.ReadValue(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
