package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

const starts = 41

// starter is a program whose start is measured.
type starter struct {
	name    string
	command func(round int) *exec.Cmd
	answers bool // until its answer to initialize, else until its end
	took    []time.Duration
}

// measureStart starts programs by turns.
func measureStart(p *programs) error {
	cassette := p.file("short.jsonl")
	if err := writeShort(cassette); err != nil {
		return err
	}
	empty := &starter{name: "an empty program's exit", command: func(int) *exec.Cmd { return exec.Command(p.empty) }}
	play := &starter{name: "mcp-replay play", answers: true, command: func(int) *exec.Cmd { return p.play(cassette) }}
	direct := &starter{name: "raw server", answers: true, command: func(int) *exec.Cmd { return rawServer("stdio") }}
	record := &starter{name: "raw server, recorded", answers: true, command: func(n int) *exec.Cmd {
		return p.recorded(p.file(fmt.Sprintf("start.%d.jsonl", n)), "stdio")
	}}
	all := []*starter{empty, play, direct, record}
	for n := range starts + 1 {
		for _, s := range all {
			took, err := s.start(n)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if n > 0 { // the first one brings the file into memory
				s.took = append(s.took, took)
			}
		}
	}
	fmt.Printf("\nfrom start to first answer, %d starts of each\n", starts)
	for _, s := range all {
		fmt.Printf("%-24s %8.2f ms\n", s.name, s.ms())
	}
	goal("player's first answer after an empty exit", play.ms()-empty.ms(), 15, " ms")
	goal("recorder's first answer after direct", record.ms()-direct.ms(), 5, " ms")
	return nil
}

func (s *starter) ms() float64 {
	return median(s.took, func(t time.Duration) float64 { return float64(t.Nanoseconds()) / 1e6 })
}

func (s *starter) start(round int) (time.Duration, error) {
	cmd := s.command(round)
	cmd.Stderr = os.Stderr
	if !s.answers {
		start := time.Now()
		err := cmd.Run()
		return time.Since(start), err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(in, handshake); err != nil {
		return 0, err
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return 0, err
	}
	took := time.Since(start)
	in.Close()
	return took, cmd.Wait()
}

// writeShort writes the cassette of a session that lists and calls a few tools.
func writeShort(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := newSession(file)
	if err != nil {
		return err
	}
	for id := range 20 {
		request := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, id, params(100*id))
		s.message(mcp.FromClient, request)
		s.message(mcp.FromServer, answer(nil, request))
	}
	return s.end()
}
