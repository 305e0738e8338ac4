Feature: What breaks recorders and players in practice

  @REP-3 @REP-5
  Rule: Odd lines on stdio are recorded as they are, and played as they were

    Scenario Outline: <what>
      Given a server that writes:
        """
        <line>
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the cassette "s.jsonl" reads from end to end
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then stdout is:
        """
        <played>
        """

      Examples:
        | what                                 | line                                                                                          | played                                                                                  |
        | U+2028, U+2029 and U+0085 in a text  | {"jsonrpc":"2.0","id":@@ID:ping@@,"result":"a b c\u2028d\r"}                                  | {"jsonrpc":"2.0","id":1,"result":"a b c\u2028d\r"}                                      |
        | Numbers that no float holds          | {"jsonrpc":"2.0","id":@@ID:ping@@,"result":[9007199254740993,-0,1.0,1E2,0.1000,1e400,{"a":1,"a":2}]} | {"jsonrpc":"2.0","id":1,"result":[9007199254740993,-0,1.0,1E2,0.1000,1e400,{"a":1,"a":2}]} |
        | The id as another type               | {"jsonrpc":"2.0","id":"@@IDTEXT:ping@@","result":{}}                                          | {"jsonrpc":"2.0","id":1,"result":{}}                                                    |
        | Space between the tokens             | {"jsonrpc" : "2.0", "result" : {} , "id" : @@ID:ping@@ }                                      | {"jsonrpc" : "2.0", "result" : {} , "id" : 1 }                                          |

    Scenario: Lines that end with CR LF
      Given a server that writes:
        """
        @@RAW {"jsonrpc":"2.0","id":1,"result":{"a":1}}@@
        @@HEX 0D0A@@
        @@SLEEP 100 ms@@
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n"
        """
      Then the host sees what it sees without the recorder
      And the cassette "s.jsonl" tells 2 messages

    Scenario: Header framing, as of a language server
      Given a server that writes:
        """
        @@HEX 436F6E74656E742D4C656E6774683A2034310D0A0D0A@@
        @@RAW {"jsonrpc":"2.0","id":1,"result":{}}@@
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the file "s.jsonl" contains:
        """
        "noise":"Content-Length: 41\r\n"
        """

    Scenario: A line of twelve megabytes
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":{"text":"@@X:12000000@@"}}
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      When the user runs `mcp-replay verify s.jsonl -- {server}`
      Then stdout is:
        """
        1 requests: 1 the same
        """

    Scenario: The server asks under the id that the host's call has
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"method":"ping"}
        @@SLEEP 100 ms@@
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":"the answer"}
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":1,"result":{}}
        """
      Then the host sees what it sees without the recorder
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":1,"result":{}}
        """
      Then stdout contains:
        """
        {"jsonrpc":"2.0","id":5,"result":"the answer"}
        """

  @REP-3 @REP-7
  Rule: Odd streams and answers over HTTP are recorded as they are, and played as messages

    Scenario: Comments, retry, empty data, a priming event, and an answer over several lines
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream; charset=utf-8
          : hi

          id: s-0
          retry: 50
          data:

          event: ping
          data: {}

          data: {
          : in the middle
          data: "jsonrpc":"2.0","id":@@ID@@,
          data: "result":"ünïcödé"}

        """
      When the host posts through a recorder to "s.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then the host sees what it sees without the recorder
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        { "jsonrpc":"2.0","id":2, "result":"ünïcödé"}
        """

    Scenario: Line ends and characters that a chunk cuts in two
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          @@RAW data: {"jsonrpc":"2.0","id":1,@@
          @@HEX 0D@@
          @@SLEEP 20 ms@@
          @@HEX 0A@@
          @@RAW data: "result":"@@
          @@HEX F09F@@
          @@SLEEP 20 ms@@
          @@HEX 9880@@
          @@RAW "}@@
          @@HEX 0D0A0D@@
          @@SLEEP 20 ms@@
          @@HEX 0A@@
        """
      When the host posts through a recorder to "s.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then the host sees what it sees without the recorder
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":2, "result":"😀"}
        """

    Scenario Outline: An answer as <type>
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 <type>
          {"jsonrpc":"2.0","id":@@ID@@,"result":"a"}
        """
      When the host posts through a recorder to "s.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then the host sees what it sees without the recorder
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":2,"result":"a"}
        """

      Examples:
        | type                           |
        | Application/JSON;Charset=UTF-8 |
        | text/plain                     |
        | application/vnd.odd+json       |

    Scenario Outline: A redirect by <status> is the host's to follow
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> <status> text/plain
          Location: /elsewhere
          over there
        """
      When the host posts through a recorder to "s.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then the host sees what it sees without the recorder

      Examples:
        | status |
        | 301    |
        | 307    |
        | 308    |
