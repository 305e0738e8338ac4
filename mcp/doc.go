// Package mcp is a client of the Model Context Protocol: one session with one server.
//
// # A session
//
// A [Transport] says how the server is reached: [Command] starts it as a child process, [HTTP] speaks Streamable HTTP to
// it, [Memory] has it in the same program, and a cassette's player stands in for it. [Connect] starts the session:
//
//	c, err := mcp.Connect(ctx, &mcp.Command{Path: "npx", Args: []string{"-y", "@modelcontextprotocol/server-everything"}}, nil)
//	if err != nil {
//		return err
//	}
//	defer c.Close()
//	list, err := c.ListTools(ctx)
//	…
//	result, err := c.CallTool(ctx, "echo", jsontext.Value(`{"message":"hello"}`))
//	fmt.Println(result.Text)
//
// A [Client] may be used by any number of goroutines at once, and their calls are under way at the same time. It
// speaks the revisions 2025-06-18, 2025-03-26 and 2024-11-05, and of those the tools: it offers no capabilities, answers
// ping, and refuses whatever else a server asks of it, unless [Options] has somebody for that.
//
// Connecting may take 20 seconds, and so may a listing; a call may take 60. [Options] say otherwise, and the deadline of a
// context counts where it is earlier.
//
// # Results
//
// A [Result] has a text for a model or a person, in which pictures and the like are described in a line, and beside it the
// JSON as it came. A result whose Failed is set is a result: the tool has said what went wrong. An error means that there is
// no result at all; [FailedResult] makes one of it for hosts that must always have one. [Render] does the same for
// results from elsewhere.
//
// Before a call the arguments are coerced to the tool's schema, if [Client.ListTools] has seen it: "5" becomes 5 where an
// integer is wanted. [Coerce] says what is changed; everything else goes out as it was given, byte for byte.
//
// # Errors
//
// What a caller may want to tell apart are types:
//
//   - *[jsonrpc.Error]: the server refused the request, with a code
//   - *[TimeoutError]: no answer came in time; the server was told by notifications/cancelled
//   - *[CancelledError]: the caller's context ended; the server was told as well
//   - *[LostError]: the connection ended first. In it stands why: an *[ExitError] with the exit code and the end of stderr,
//     a *[ProtocolError], or [ErrClosed]
//   - *[HTTPError] and others of [HTTP]: this one request failed, the session stands
//   - *[StartError], *[VersionError]: from Connect
//
// [OutcomeUnknown] says whether the server may have done what was asked, though no answer came: such a request is
// not safe to repeat. An error that matches [ErrNotSent] says that it is.
//
// # What goes wrong elsewhere
//
// Servers log to stdout, answer too late, twice or never, list tools without names, stop reading, or leave their children
// behind. None of it ends a session that can go on: it is passed over, and [Client.Status] tells of it. Nothing a server sends
// can panic the program or hold a call longer than its timeout. A message may have 64 MiB; what is read ahead is
// bounded by that. Close ends a child process with its whole process tree.
//
// # Recording
//
// Every transport takes a [Tap], which is told what passes on the wire, both ways, before it is passed on. Package replay has
// one that writes a cassette.
//
// # Below the client
//
// A transport of your own needs one method, Connect, and its [Conn] three. The client asks for no more than that, and so the
// parts are of use without it: a Conn carries messages for a proxy, [NewPair] gives a server in the same program its end,
// [EventReader] reads any event stream, and [LookPath] says which file a command is.
package mcp
