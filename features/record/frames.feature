@REP-2
Feature: A recording tells a session frame by frame

  Scenario: A handshake, a ping, the end
    Given a server that writes:
      """
      @@AFTER:initialize@@ready
      {"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fx","version":"1"},"key":"correct-horse-battery"}}
      {"jsonrpc":"2.0","id":@@ID:ping@@,"result":{"n":1E2}}
      """
    And the session is recorded to "s.jsonl" with `--env API_KEY=correct-horse-battery`
    And the server is started
    When the host pings the server
    And the host closes the session
    Then the cassette "s.jsonl" tells:
      """
      > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcp-replay","version":"dev"}}}
      < "noise":"ready\n"
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fx","version":"1"},"key":"[redacted:api-key:N]"}}
      > {"jsonrpc":"2.0","method":"notifications/initialized"}
      > {"jsonrpc":"2.0","id":2,"method":"ping"}
      < {"jsonrpc":"2.0","id":2,"result":{"n":1E2}}
      > "close":true
      < "exit":{"code":0}
      """
