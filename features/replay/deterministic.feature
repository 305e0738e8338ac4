Feature: A recorded session is played again and again, without its server

  @REP-1
  Rule: stdio and HTTP sessions are replayed deterministically, with no process and no network

    Scenario Outline: A session on <transport>, played twice
      Given a server on <transport> that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
        tools/call  {"content":[{"type":"text","text":"hi there"}],"isError":false}
        """
      And a file "calls.jsonl" with:
        """
        {"tool":"echo","arguments":{"text":"hi"}}
        """
      When the user runs `mcp-replay record -o s.jsonl --calls calls.jsonl <server>`
      And the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}
        {"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"a","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        {"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"hi there"}],"isError":false}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}
        {"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"hi there"}],"isError":false}}
        {"jsonrpc":"2.0","id":"a","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        """

      Examples:
        | transport | server      |
        | stdio     | -- {server} |
        | HTTP      | --url {url} |
