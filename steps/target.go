package steps

// Target names the server that "the server is started" starts: one of its fields is set.
type Target struct {
	Command  []string // a command line, word by word
	URL      string   // a Streamable HTTP endpoint
	Cassette string   // the path of a cassette, which is played
}

// targetState is what the scenario's steps have said about its server.
type targetState struct {
	target Target
	set    bool
}

// SetTarget says which server the scenario speaks of.
func (w *World) SetTarget(t Target) { *State[targetState](w) = targetState{target: t, set: true} }
