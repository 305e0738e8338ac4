Feature: Recordings of other tools become cassettes

  Scenario Outline: <file> has <calls> calls
    Given the recording "<file>" of another tool
    When the user runs `mcp-replay import <file> -o imported.jsonl`
    And the user runs `mcp-replay show imported.jsonl --format json`
    Then stdout as JSON has "/header/by" equal to "<by>"
    And stdout as JSON has "/frames" equal to <frames>
    And stdout as JSON has "/calls/<last>/outcome" equal to "ok"
    When the user runs `mcp-replay play imported.jsonl` with the input:
      """
      {"jsonrpc":"2.0","id":"mine","method":"tools/list"}
      """
    Then stdout contains:
      """
      "id":"mine"
      """

    Examples:
      | file                          | by                                | frames | calls | last |
      | ivermin-mcp-cassette-v2.jsonl | mcp-replay 0.1.0 from ivermin     | 21     | 7     | 6    |
      | cheneeheng-mcp-cassette-v2.json | mcp-replay 0.1.0 from cheneeheng | 21    | 7     | 6    |
      | devhelm-mcp-recorder-v1.json  | mcp-replay 0.1.0 from devhelm     | 7      | 3     | 2    |
      | mcpsnoop.jsonl                | mcp-replay 0.1.0 from mcpsnoop    | 21     | 7     | 6    |
      | mcporter.ndjson               | mcp-replay 0.1.0 from mcporter    | 7      | 2     | 1    |
      | nachiket-mcp-vcr.yaml         | mcp-replay 0.1.0 from nachiket    | 21     | 7     | 6    |
      | mcp-rec.jsonl                 | mcp-replay 0.1.0 from mcp-rec     | 21     | 7     | 6    |
      | toddegray-mcp-recorder.jsonl  | mcp-replay 0.1.0 from toddegray   | 21     | 7     | 6    |
      | agent-vcr.vcr                 | mcp-replay 0.1.0 from agent-vcr   | 6      | 3     | 2    |

  Scenario: mcp-tape, with what it keeps of the server's end
    Given the recording "mcp-tape.jsonl" of another tool
    When the user runs `mcp-replay import mcp-tape.jsonl -o imported.jsonl`
    Then stderr is:
      """
      mcp-tape.jsonl: line 1: not carried over: label
      mcp-tape.jsonl: line 3: no message of JSON-RPC: it becomes noise
      wrote imported.jsonl
      """
    When the user runs `mcp-replay play imported.jsonl` with the input:
      """
      {"jsonrpc":"2.0","id":1,"method":"ping"}
      """
    Then the exit code is 3

  Scenario: The first event of a stream does not become the answer
    Given a file "first.json" with:
      """
      {"version":"1.0","metadata":{"server_url":"http://127.0.0.1:1/mcp"},"interactions":[{"type":"jsonrpc_request","response_is_sse":true,
       "request":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}},
       "response":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}}]}
      """
    When the user runs `mcp-replay import first.json -o imported.jsonl`
    Then stderr contains "interaction 1: the tool kept the first event of a stream (notifications/progress) instead of the answer"
    When the user runs `mcp-replay show imported.jsonl --format json`
    Then stdout as JSON has "/calls/0/outcome" equal to "unanswered"

  Scenario: A file with several servers
    Given a file "two.ndjson" with:
      """
      {"jsonrpc":"2.0","id":1,"method":"ping","_meta":{"dir":"send","server":"a","ts":"2026-12-01T03:14:26Z"}}
      {"jsonrpc":"2.0","id":1,"method":"ping","_meta":{"dir":"send","server":"b","ts":"2026-12-01T03:14:26Z"}}
      """
    When the user runs `mcp-replay import two.ndjson`
    Then the exit code is 2
    And stderr is:
      """
      mcp-replay: two.ndjson: holds several sessions: a, b
      hint: pick one with --pick NAME
      """
    When the user runs `mcp-replay import two.ndjson --pick b -o b.jsonl`
    Then the file "b.jsonl" has 2 lines

  @REP-4
  Scenario: What is imported is redacted like anything else
    Given a file "leak.jsonl" with:
      """
      {"ts":1796095223.5,"dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"open sesame"}}}}
      {"ts":1796095223.6,"dir":"server->client","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ACME-1234 at the door"}]}}}
      """
    When the user runs `mcp-replay import leak.jsonl -o clean.jsonl --redact 'acme=ACME-[0-9]+'`
    Then the file "clean.jsonl" does not contain "open sesame"
    And the file "clean.jsonl" does not contain "ACME-1234"
    And the file "clean.jsonl" contains:
      """
      [redacted:acme:
      """

  Scenario: What is in none of the formats
    Given a file "notes.txt" with:
      """
      hello
      """
    When the user runs `mcp-replay import notes.txt -o out.jsonl`
    Then the exit code is 2
    And stderr contains "notes.txt: in none of the known formats"
    And there is no file "out.jsonl"
