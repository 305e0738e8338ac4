Feature: A cassette on the terminal

  Background:
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"host"}}}
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"notes","version":"2"}}}
      > {"jsonrpc":"2.0","method":"notifications/initialized"}
      > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"title":"Ideas"},"_meta":{"progressToken":9}}}
      < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1,"total":2}}
      < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":2,"total":2}}
      < {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"A tree house"}]}}
      {"from":"client","close":true}
      {"from":"server","exit":{"code":0}}
      """

  Scenario: The timeline says what was called, how long it took and what came back
    When the user runs `mcp-replay show s.jsonl`
    Then stdout contains:
      """
      notes 2, protocol 2025-06-18
      stdio: recorded
      """
    And stdout contains:
      """
      2 calls and 9 frames in 900 ms · 2 ok

       0.100   100 ms  ✓ initialize  host asks for 2025-06-18 → notes 2 speaks 2025-0…
       0.300           → notifications/initialized
       0.400   300 ms  ✓ tools/call read  title: "Ideas" → A tree house
       0.500   100 ms  ← notifications/progress ×2  1/2
       0.800           ■ the host closed the connection
       0.900           ■ the server ended:  exit code 0
      """

  Scenario: Calls alone
    When the user runs `mcp-replay show s.jsonl --calls --width 60`
    Then stdout contains:
      """
       0.100   100 ms  ✓ initialize  host asks for… → notes 2 spe…
       0.400   300 ms  ✓ tools/call read  title: "Ide… → A tree h…
      """
    And stdout does not contain "notifications/progress"

  Scenario: A session over HTTP reads like any other
    Given a cassette "h.jsonl" from HTTP with:
      """
      1 > POST {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}}
      1 < 200 text/event-stream
      1 < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"looking"}}
      1 < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"found"}]}}
      1 < end
      2 > GET
      2 < 405 text/plain
      2 < end
      """
    When the user runs `mcp-replay show h.jsonl`
    Then stdout contains "✓ tools/call read → found"
    And stdout contains "← notifications/message  info: looking"
    And stdout contains "→ HTTP 405"
    And stdout does not contain "What went wrong"
