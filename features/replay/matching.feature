Feature: A recorded request is found by what it means

  @REP-5
  Rule: Neither ids nor spelling count, and equal requests are answered in their order

    Scenario: Another id, another order of keys, another spelling of numbers, other metadata
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"b":1.0},"_meta":{"progressToken":3}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}
        < {"jsonrpc":"2.0","id":3,"result":{"n":9007199254740993,"x":1.0}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":"q-9","method":"tools/call","params":{"_meta":{"progressToken":"z","traceparent":"00-1-2-01"},"arguments":{"b":1,"a":1e0},"name":"t"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"z","progress":1}}
        {"jsonrpc":"2.0","id":"q-9","result":{"n":9007199254740993,"x":1.0}}
        """

    Scenario: Reading, writing and reading again
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get"}}
        < {"jsonrpc":"2.0","id":1,"result":"old"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set","arguments":{"v":"new"}}}
        < {"jsonrpc":"2.0","id":2,"result":"done"}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}
        < {"jsonrpc":"2.0","id":3,"result":"new"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get"}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set","arguments":{"v":"new"}}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":"old"}
        {"jsonrpc":"2.0","id":2,"result":"done"}
        {"jsonrpc":"2.0","id":3,"result":"new"}
        """

    Scenario: Two requests at once come in the other order
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"A"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"B"}}
        < {"jsonrpc":"2.0","id":2,"result":"b"}
        < {"jsonrpc":"2.0","id":1,"result":"a"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"B"}}
        {"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":"A"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"x","result":"b"}
        {"jsonrpc":"2.0","id":"y","result":"a"}
        """

    Scenario: A host that asks for another protocol version is told the recorded one
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"b","version":"2"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        """

    Scenario: A session of 2026-07-28 has no initialize
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"]}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s1"}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"book","requestState":"s1","inputResponses":{"q":{"action":"accept"}}}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[]}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","inputResponses":{"q":{"action":"accept"}},"requestState":"s1"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s1"}}
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}
        """
