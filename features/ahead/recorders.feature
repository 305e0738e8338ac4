Feature: Where public recorders of MCP fall short

  Each rule is something that a public recorder was seen to do wrong, and holds here from the recording to the replay.

  @REP-7
  Rule: A second session finds everything anew, and what was recorded over HTTP is played on stdio

    Background:
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s1
          {"jsonrpc":"2.0","id":@@ID@@,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        POST tools/call -> 200 application/json
          {"jsonrpc":"2.0","id":@@ID@@,"result":"first"}
        POST tools/call -> 200 application/json
          {"jsonrpc":"2.0","id":@@ID@@,"result":"second"}
        """
      When the host posts through a recorder to "s.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"next"}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"next"}}
        """

    Scenario: Two sessions on one player
      Given the cassette "s.jsonl" is served over HTTP
      When host A posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        """
      And host B posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        """
      Then host B has 200 with:
        """
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        """

    Scenario: On stdio
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":"i","method":"initialize"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        """

  @REP-8
  Rule: Progress comes with its request and before its answer, and the server's requests wait for each other's replies

    Scenario: Each at its place
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize"}
        < {"jsonrpc":"2.0","id":1,"result":{}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"trip","_meta":{"progressToken":"p"}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
        < {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"maxTokens":10}}
        > {"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}}
        < {"jsonrpc":"2.0","id":"s2","method":"elicitation/create","params":{"message":"when?"}}
        > {"jsonrpc":"2.0","id":"s2","result":{"action":"accept"}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2}}
        < {"jsonrpc":"2.0","id":2,"result":"booked"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"trip","_meta":{"progressToken":9}}}
        {"jsonrpc":"2.0","id":8,"method":"ping"}
        {"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}}
        {"jsonrpc":"2.0","id":9,"method":"ping"}
        {"jsonrpc":"2.0","id":"s2","result":{"action":"accept"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}
        {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"maxTokens":10}}
        {"jsonrpc":"2.0","id":8,"result":{}}
        {"jsonrpc":"2.0","id":"s2","method":"elicitation/create","params":{"message":"when?"}}
        {"jsonrpc":"2.0","id":9,"result":{}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":2}}
        {"jsonrpc":"2.0","id":7,"result":"booked"}
        """

  @REP-8
  Rule: Every event of a stream is kept: progress is progress, and the answer the answer

    Scenario: Recorded over HTTP
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@@TOKEN@@,"progress":1}}

          data: {"jsonrpc":"2.0","id":@@ID@@,"result":"done"}

        """
      When the host posts through a recorder to "s.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"long","_meta":{"progressToken":"p"}}}
        """
      And the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"long","_meta":{"progressToken":5}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":1}}
        {"jsonrpc":"2.0","id":2,"result":"done"}
        """

  @REP-4 @REP-5
  Rule: progressToken and maxTokens are no secrets, and what is one still matches when it is played

    Scenario: A password, redacted, and another one live
      Given a server that answers:
        """
        tools/call  {"content":[{"type":"text","text":"welcome"}]}
        """
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"fx-s3cret-0001","maxTokens":100},"_meta":{"progressToken":"p-1"}}}
        """
      Then the file "s.jsonl" does not contain "fx-s3cret-0001"
      And the file "s.jsonl" contains:
        """
        "maxTokens":100},"_meta":{"progressToken":"p-1"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"maxTokens":100,"password":"fx-s3cret-0002"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"welcome"}]}}
        """

  @REP-8
  Rule: A host that lists again after list_changed does not fall out of step

    Scenario Outline: Matching by <match>
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        < {"jsonrpc":"2.0","id":2,"result":"a"}
        """
      When the user runs `mcp-replay play s.jsonl --match <match>` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
        {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
        {"jsonrpc":"2.0","id":3,"result":"a"}
        """

      Examples:
        | match   |
        | meaning |
        | strict  |

  @REP-9
  Rule: Verify asks before it changes anything, and offers what the recorded host offered

    Background:
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}},"clientInfo":{"name":"h","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wipe"}}
        < {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"maxTokens":10}}
        > {"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
        """
      And a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        @@AFTER:tools/call@@{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{"maxTokens":10}}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[]}}
        @@SLEEP 200 ms@@
        """

    Scenario: Without consent
      When the user runs `mcp-replay verify s.jsonl -- {server}`
      Then the exit code is 1
      And stderr contains "not sent without consent, since they may change something: wipe"
      And the server has been started 0 times

    Scenario: With consent
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then the exit code is 0
      And stdout is:
        """
        2 requests: 2 the same
        """
      And the server receives "initialize" with "/params/capabilities" equal to {"sampling":{}}

  @REP-2
  Rule: A recorder that is killed has lost nothing of what its host has seen

    Scenario: The last answer too
      Given a server that answers:
        """
        ping  {}
        """
      When the host has 50 answers through a recorder to "s.jsonl", which is then killed
      Then the cassette "s.jsonl" tells 100 messages

  @REP-5
  Rule: A host that asks for another protocol version is answered

    Scenario: And told the recorded one
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05"}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"new","version":"2"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05"}}
        """

  @REP-3
  Rule: A banner passes and breaks nothing, and the recorder ends with its host's input, the session saved

    Scenario: From the banner to the end of the input
      Given a server that writes:
        """
        Server ready
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":{}}
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the cassette "s.jsonl" reads from end to end
      And the file "s.jsonl" contains:
        """
        "from":"client","close":true}
        """
      And the file "s.jsonl" contains:
        """
        "from":"server","exit":{"code":0}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":2,"method":"ping"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":2,"result":{}}
        """
