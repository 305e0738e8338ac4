// Package steps is the vocabulary of behaviour specs for MCP servers and hosts, as data.
//
// A [Step] is a pattern, an example, a sentence of documentation and a Go function. The steps of one domain are an
// [Area], and all of them are a [Vocabulary], which knows no test framework: package steps/suite runs it under godog in
// "go test", package steps/run in the shipped command, with the same verdicts. "make steps" prints it.
//
// # Areas
//
// The public areas (server, tools, calls) are for anybody's server: they drive a client against a live server or a
// cassette and look at what it answers, and are what "mcp-replay test" knows. The other areas are for the specs of
// mcp-replay itself: fake servers, the wire, the command line, files, and one for each chapter of the rules.
//
// # Writing a step
//
// A step of, say, the wire area goes into wire.go, into the slice wireSteps; no other file changes:
//
//	var wireSteps = []Step{{
//		Pattern: `^the server has been started (\d+) times?$`,
//		Example: `Then the server has been started 1 time`,
//		Doc:     "Counts the processes of the fake server on stdio.",
//		Do:      startedTimes,
//	}}
//
//	func startedTimes(ctx context.Context, w *World, want int) error {
//		if got := State[fakeState](w).started; got != want {
//			return fmt.Errorf("it has been started %d times", got)
//		}
//		return nil
//	}
//
// The pattern runs from ^ to $ and ends in a colon where a docstring ([Doc]) or a [Table] follows, which is then the
// function's last parameter. Text stands in "double quotes", numbers and times bare, command lines in `backticks`.
// The steps of an area stand in the order Given, When, Then, told by the keyword of their examples. A test holds all this, and
// names the steps that no feature uses.
//
// Steps are third person, present tense, one actor a step: "the server answers …", "the host calls …", "the call fails
// with …". Ask of each whether its wording would change if the code did; then push it into Go. A Then sees only
// what a user, or the author of the server, could see. Values are exact.
//
// # The world
//
// Each scenario has a [World] of its own, closed after it. An area keeps its state in a type of its own, found by
// [State]; what it opens it hands to [World.Cleanup]. Contexts end with the scenario, so nothing outlives it. There are
//
//   - [World.Dir] and [World.Path]: the scenario's folder, in which commands run and to which file names are relative;
//     [World.RootPath] for the fixtures and cassettes of the repository.
//   - [World.Define] and names in braces: {dir}, {server} (the fake's command line), {url} and whatever an area
//     defines are filled in before a step sees its text; @@REPEAT 12001 é@@ is so many of the text.
//   - [World.Notice]: a failed result, an exit code, an unplayed frame that no later step mentions fails the scenario.
//     The step that looks at it calls [Notice.Mention].
//   - [World.SetTarget]: the server that "the server is started" starts.
//   - [World.FakeServer], [World.FakeHTTP] and [World.Received]: the scripted servers of package steps/fake, made by
//     "Given a server that answers:", "Given a server that writes:", "Given an HTTP server that answers:" and "Given an HTTP
//     server with the exchanges:".
//   - [World.CommandLine] and the step "the user runs `mcp-replay …`": the real command, built once for a run.
//   - [Eventually]: waits for what comes on its own. There is no sleep in a step.
//
// # Writing a feature
//
// A feature is a file in features/CHAPTER/, one aspect, some 35 lines. A Rule quotes one rule and carries its tag, which its
// scenarios inherit:
//
//	Feature: Results of the server as the host sees them
//
//	  @CALL-8
//	  Rule: A JSON-RPC error is a failed tool result with its code and message
//
//	    Scenario: The server does not know the tool
//	      Given a server that answers:
//	        """
//	        tools/call  error {"code":-32602,"message":"Unknown tool: nope"}
//	        """
//	      And the server is started
//	      When the host calls the tool "nope"
//	      Then the call fails with "Unknown tool: nope (code -32602)"
//
// A matrix is one Scenario Outline whose name holds its columns. Scenarios of a file have different names. A Background
// has four lines at most. Run a chapter alone with
//
//	go test ./features -run 'TestFeatures/call'
//
// and give it a floor in features_test.go, the number of its scenarios.
package steps
