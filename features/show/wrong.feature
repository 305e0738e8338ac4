Feature: What went wrong stands on top

  Scenario: Failures, refusals, noise, what was given up and what was never answered
    Given a cassette "s.jsonl" with:
      """
      {"from":"server","noise":"Server ready\n"}
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"diary"}}
      < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the diary is locked"}],"isError":true}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"burn"}}
      < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"unknown tool"}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"slow"}}
      > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/list"}
      {"from":"server","stderr":"out of memory\n"}
      {"from":"server","exit":{"signal":"SIGKILL"}}
      """
    When the user runs `mcp-replay show s.jsonl --width 120`
    Then stdout contains:
      """
      What went wrong
        ✗ the server wrote on stdout what is no message: Server ready  (frame 1)
        ✗ tools/call diary failed: the diary is locked  (frame 2)
        ✗ tools/call burn was answered with an error: unknown tool (-32602)  (frame 4)
        ✗ tools/call slow was given up by the host after 100 ms  (frame 6)
        ✗ tools/list was never answered: the server ended first  (frame 8)
        ✗ the server ended by itself, with signal SIGKILL; its last words on stderr: out of memory  (frame 10)
      """

  Scenario: An answer of another type than its request, and one that nobody asked for
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"ping"}
      < {"jsonrpc":"2.0","id":"1","result":{}}
      < {"jsonrpc":"2.0","id":7,"result":{}}
      """
    When the user runs `mcp-replay show s.jsonl --width 120`
    Then stdout contains:
      """
        ✗ ping was answered under the id "1", another JSON type than it was asked under  (frame 2)
        ✗ an answer came to a request that nobody made (id 7)  (frame 3)
      """

  Scenario: It was the host that sent what is no message
    Given a cassette "s.jsonl" with:
      """
      {"from":"client","noise":"hello?\n"}
      {"from":"server","noise":"Server ready\n"}
      {"from":"client","noise":"anybody?\n"}
      """
    When the user runs `mcp-replay show s.jsonl --width 120`
    Then stdout contains:
      """
        ✗ the host sent what is no message: hello?  (2 times, from frame 1)
        ✗ the server wrote on stdout what is no message: Server ready  (frame 2)
      """

  Scenario: An exchange that was broken off, and a refusal by HTTP
    Given a cassette "s.jsonl" from HTTP with:
      """
      1 > POST {"jsonrpc":"2.0","id":1,"method":"tools/list"}
      1 < 503 text/plain
      1 < "later"
      1 < end
      2 > POST {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read"}}
      2 < reset
      """
    When the user runs `mcp-replay show s.jsonl`
    Then stdout contains "tools/list was answered with HTTP 503"
    And stdout contains "was broken off before it was complete"
    And stdout contains "tools/call read was never answered"

  @REP-10
  Scenario: A recording that a crash cut off is shown up to its last whole frame
    Given a file "s.jsonl" with:
      """
      {"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"x","transport":"stdio","server":{"command":"x"},"rules":{"built-in":1}}
      {"at":1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}
      {"at":2,"from":"server","mess
      """
    When the user runs `mcp-replay show s.jsonl`
    Then the exit code is 2
    And stderr contains "s.jsonl:3: damaged cassette"
