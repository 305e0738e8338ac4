Feature: Cassettes in the formats of other tools

  Background:
    Given a cassette "s.jsonl" from HTTP with:
      """
      1 > POST {"jsonrpc":"2.0","id":1,"method":"initialize"}
      1 < 200 application/json
      1 < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
      1 < end
      2 > POST {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"n":9007199254740993}}}
      2 < 200 text/event-stream
      2 < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}
      2 < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
      2 < end
      3 > POST {"jsonrpc":"2.0","id":3,"method":"ping"}
      3 < reset
      """

  @REP-7
  Scenario Outline: To <format> and back, the session is the same
    When the user runs `mcp-replay export s.jsonl -o <file>`
    Then stderr contains "<said>"
    When the user runs `mcp-replay import <file> -o back.jsonl`
    And the user runs `mcp-replay diff s.jsonl back.jsonl`
    Then stdout contains "no change; 1 request compared"
    When the user runs `mcp-replay play back.jsonl` with the input:
      """
      {"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a","arguments":{"n":9007199254740993}}}
      """
    Then stdout is:
      """
      {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}
      {"jsonrpc":"2.0","id":"x","result":{"content":[]}}
      """

    Examples:
      | format | file   | said                                                                    |
      | HAR    | s.har  | wrote s.har                                                             |
      | go-vcr | s.yaml | exchange 3 has no answer: go-vcr cannot hold it, left out               |

  Scenario: A session on stdio goes out as Streamable HTTP would have carried it
    Given a cassette "stdio.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"ping"}
      < {"jsonrpc":"2.0","id":1,"result":{}}
      {"from":"server","stderr":"bye\n"}
      """
    When the user runs `mcp-replay export stdio.jsonl --to har --url http://127.0.0.1:8080/mcp`
    Then stderr is:
      """
      stdio.jsonl: the session was on stdio: it is exported as Streamable HTTP would have carried it
      stdio.jsonl: not carried over: 1 × stderr
      """
    And stdout as JSON has "/log/entries/0/request/url" equal to "http://127.0.0.1:8080/mcp"
    And stdout as JSON has "/log/entries/0/response/content/text" equal to:
      """
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
      """

  Scenario: No format is named
    When the user runs `mcp-replay export s.jsonl`
    Then the exit code is 2
    And stderr is:
      """
      mcp-replay: no format is named
      hint: --to har or --to go-vcr
      """
