Feature: What the server mints, asks for and hides does not make a difference

  @REP-9
  Rule: Values that the server mints are carried from its live answers into later requests

    Scenario: A cursor, a handle and a number
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"page-two-1111"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-two-1111"}}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"create"}}
        < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"created note-1111."}],"structuredContent":{"id":17}}}
        > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read","arguments":{"uri":"note://note-1111","noteId":17}}}
        < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"note-1111 is empty"}]}}
        """
      And a server that answers:
        """
        tools/list  {"tools":[],"nextCursor":"page-two-2222"}
        tools/list  {"tools":[]}
        tools/call  {"content":[{"type":"text","text":"created note-2222."}],"structuredContent":{"id":18}}
        tools/call  {"content":[{"type":"text","text":"note-2222 is empty"}]}
        """
      When the user runs `mcp-replay verify s.jsonl --yes --format json -- {server}`
      Then stdout is:
        """
        {"requests":4,"same":4,"differences":[],"unanswered":[],"skipped":[],"notes":[]}
        """
      And the server receives:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-two-2222"}}
        """
      And the server receives:
        """
        {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read","arguments":{"uri":"note://note-2222","noteId":18}}}
        """

  @REP-9
  Rule: Requests of the server are answered as the recorded host answered them

    Scenario: Sampling in the middle of a call
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}},"clientInfo":{"name":"h","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}
        < {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"maxTokens":10}}
        > {"jsonrpc":"2.0","id":"s1","result":{"role":"assistant","content":{"type":"text","text":"forty-two"}}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
        """
      And a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        @@AFTER:tools/call@@{"jsonrpc":"2.0","id":"other-1","method":"sampling/createMessage","params":{"maxTokens":10}}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[]}}
        @@SLEEP 200 ms@@
        """
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then stdout is:
        """
        2 requests: 2 the same
        """
      And the server receives "initialize" with "/params/capabilities" equal to {"sampling":{}}
      And the server receives:
        """
        {"jsonrpc":"2.0","id":"other-1","result":{"role":"assistant","content":{"type":"text","text":"forty-two"}}}
        """

  @REP-9
  Rule: Redacted arguments are filled from the environment, or their requests are skipped

    Background:
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"[redacted:password:1]"}}}
        < {"jsonrpc":"2.0","id":1,"result":"welcome"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"open","arguments":{"pin":"[redacted:pin:2]"}}}
        < {"jsonrpc":"2.0","id":2,"result":"open"}
        """
      And a server that answers:
        """
        tools/call  "welcome, open-sesame"
        """
      And the environment variable THE_PASSWORD is "open-sesame"

    Scenario: One is given, the other is not; what is given is not shown
      When the user runs `mcp-replay verify s.jsonl --yes --fill '[redacted:password:1]=THE_PASSWORD' -- {server}`
      Then the exit code is 1
      And stdout is:
        """
        request 1: tools/call "login" (frame 1)
          /result
            - "welcome"
            + "welcome, [redacted:password:1]"
        request 2: tools/call "open" (frame 3)
          skipped: no value is given for [redacted:pin:2]
        2 requests: 0 the same, 1 different, 1 skipped
        """
      And the server receives "tools/call" with "/params/arguments/password" equal to "open-sesame"

    Scenario: A variable that is not set
      When the user runs `mcp-replay verify s.jsonl --yes --fill '[redacted:pin:2]=NO_SUCH_PIN' -- {server}`
      Then the exit code is 2
      And stderr contains "NO_SUCH_PIN"

  @REP-9
  Rule: What two recordings of one server show to vary is learned, and ignored

    Scenario: record --twice writes it into the header
      Given an HTTP server that answers:
        """
        tools/call  {"content":[{"type":"text","text":"it is 10:00"}]}
        tools/call  {"content":[{"type":"text","text":"it is 10:01"}]}
        tools/call  {"content":[{"type":"text","text":"it is 11:30"}]}
        """
      And a file "calls.jsonl" with:
        """
        {"tool":"echo","arguments":{}}
        """
      When the user runs `mcp-replay record -o s.jsonl --twice --calls calls.jsonl --url {url}`
      Then the file "s.jsonl" contains:
        """
        "vary":["tools/call:echo /result/content/0/text"]
        """
      When the user runs `mcp-replay verify s.jsonl --yes --url {url}`
      Then stdout contains "3 the same"
