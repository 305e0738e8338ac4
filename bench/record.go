package main

import (
	"os/exec"
)

// measureRecord puts the recorder in the middle of the floor's client and the raw server.
func measureRecord(p *programs) error {
	cs, err := servers([]string{"direct", "mcp-replay record"},
		[]*exec.Cmd{rawServer("stdio"), p.recorded(p.file("middle.jsonl"), "stdio")})
	if err != nil {
		return err
	}
	defer closeAll(cs)
	one, err := workload{name: "recorder in the middle, stdio, 1 caller", callers: 1}.measure(cs)
	if err != nil {
		return err
	}
	goal("time of a call by direct", one.ratio("mcp-replay record", "direct"), 1.3, " ")
	many, err := workload{name: "recorder in the middle, stdio, 32 callers", callers: 32}.measure(cs)
	if err != nil {
		return err
	}
	goal("time of a call by direct (85 % of its calls)", many.ratio("mcp-replay record", "direct"), 1/0.85, " ")
	return nil
}
