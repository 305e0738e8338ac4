Feature: A cassette becomes a spec

  Background:
    Given a cassette "notes.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"initialize"}
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"notes","version":"1"}}}
      > {"jsonrpc":"2.0","method":"notifications/initialized"}
      > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"read","inputSchema":{"type":"object","required":["title"]},"annotations":{"readOnlyHint":true}}]}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read","arguments":{"title":"Ideas"}}}
      < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"A tree house"}]}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read","arguments":{"title":"Log"}}}
      < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"Opened at 2026-12-01 10:00:00"}]}}
      """

  Scenario: It is readable, holds what is worth asserting, and passes against the cassette
    When the user runs `mcp-replay spec notes.jsonl -o notes.feature`
    Then the file "notes.feature" is:
      """
      Feature: notes, as recorded
        Written by mcp-replay spec from notes.jsonl, recorded 2026-12-01 over stdio.
        Run it with mcp-replay test FEATURE --cassettes notes.jsonl, or with a server in place of the cassette.

        Background:
          Given the server is started

        Scenario: The server introduces itself
          Then the server is "notes"
          And the session speaks protocol version "2025-06-18"
          And the server offers "tools"

        Scenario: The tools that it offers
          When the host lists the tools
          Then the tools are:
            | read |
          And the tool "read" is read-only
          And the tool "read" requires:
            | title |

        Scenario: read with title Ideas
          When the host calls the tool "read" with:
            | title | Ideas |
          Then the result is "A tree house"

        Scenario: read with title Log
          When the host calls the tool "read" with:
            | title | Log |
          Then the result contains "Opened at"
      """
    When the user runs `mcp-replay test notes.feature --cassettes notes.jsonl`
    Then stdout contains "4 scenarios"

  Scenario: A session that no client of ours could have
    Given a cassette "new.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"initialize"}
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-07-28","capabilities":{},"serverInfo":{"name":"n","version":"1"}}}
      """
    When the user runs `mcp-replay spec new.jsonl`
    Then the exit code is 1
    And stderr contains "2026-07-28"

  Scenario: A read before and after a write is answered in this order
    Given a cassette "again.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"initialize"}
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"notes","version":"1"}}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"write"}]}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read"}}
      < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"old"}]}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"write"}}
      < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"written"}]}}
      > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"read"}}
      < {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"new"}]}}
      """
    When the user runs `mcp-replay spec again.jsonl -o again.feature`
    And the user runs `mcp-replay test again.feature --cassettes again.jsonl`
    Then the exit code is 0
    And stdout contains "From read on, in the order of the recording"

  Scenario: Quotes, pipes, angle brackets and invisible characters pass, too
    Given a cassette "odd.jsonl" with:
      ```
      > {"jsonrpc":"2.0","id":1,"method":"initialize"}
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"say \"<hi>\"","version":"1"}}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"read","inputSchema":{"required":["a|b"]},"annotations":{"readOnlyHint":true}},{"name":"read"},{"name":" lead"},{"name":"<x>"}]}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read","arguments":{"a|b":"\"\"\"","c":{"d":"\"\"\" \\\"\\\"\\\" \u202e and so on, until no cell of a table holds it"}}}}
      < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"\"\"\"\n| <x> |\n# \\"}]}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read","arguments":{"a|b":"\u202e\\|<x>"}}}
      < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"\\\"\\\"\\\""}]}}
      > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"<x>"}}
      < {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"<x>"}]}}
      ```
    When the user runs `mcp-replay spec odd.jsonl -o odd.feature`
    And the user runs `mcp-replay test odd.feature --cassettes odd.jsonl`
    Then the exit code is 0
