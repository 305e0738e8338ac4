package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

// measureRecord puts the recorder in the middle of the floor's client and two servers: the raw one, of whose calls the two
// system calls and wake-ups are nearly all, and one made with the Go SDK, which does what real servers do. Beside it stands a
// pump that passes bytes on and does nothing else: what any process in the middle costs.
func measureRecord(p *programs) error {
	for _, server := range []string{"stdio", "sdk"} {
		cs, err := servers([]string{"direct", "bare pump", "mcp-replay record"}, []*exec.Cmd{
			rawServer(server), pumped(server), p.recorded(p.file("middle."+server+".jsonl"), server)})
		if err != nil {
			return err
		}
		for _, callers := range []int{1, 32} {
			w := workload{name: fmt.Sprintf("recorder in the middle, %s server, %d callers", server, callers), callers: callers}
			r, err := w.measure(cs)
			if err != nil {
				return err
			}
			limit := 1.3
			if callers > 1 {
				limit = 1 / 0.85 // 85 % of the calls in the same time
			}
			goal("time of a call by direct", r.ratio("mcp-replay record", "direct"), limit, " ")
		}
		closeAll(cs)
	}
	return nil
}

// pumped is a server behind a pump.
func pumped(mode string) *exec.Cmd {
	cmd := rawServer("pump")
	cmd.Args = append(cmd.Args, mode)
	return cmd
}

// pump stands between its host and a server, and passes bytes on.
func pump(mode string) error {
	cmd := rawServer(mode)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		passOn(in, os.Stdin)
		in.Close()
	}()
	passOn(os.Stdout, out)
	return cmd.Wait()
}

// passOn is [io.Copy] without the system calls that pass bytes on unseen.
func passOn(dst io.Writer, src io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		if _, werr := dst.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}
