Feature: A cassette for scripts

  Scenario: Each call with its outcome
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}}
      < {"jsonrpc":"2.0","id":9,"method":"roots/list"}
      > {"jsonrpc":"2.0","id":9,"result":{"roots":[]}}
      < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
      > {"jsonrpc":"2.0","id":2,"method":"ping"}
      """
    When the user runs `mcp-replay show s.jsonl --format json`
    Then stdout as JSON has "/frames" equal to 5
    And stdout as JSON has "/header/cassette" equal to 1
    And stdout as JSON has "/calls/0" equal to:
      """
      {"method":"tools/call","name":"read","at":0.1,"durationMs":300,"outcome":"ok","frame":1,"answer":4}
      """
    And stdout as JSON has "/calls/1" equal to:
      """
      {"method":"ping","name":"","at":0.5,"durationMs":null,"outcome":"unanswered","frame":5}
      """
    And stdout as JSON has "/serverCalls/0/method" equal to "roots/list"
    And stdout as JSON has "/truncated" equal to false

  Scenario Outline: <outcome>
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}}
      <answer>
      """
    When the user runs `mcp-replay show s.jsonl --format json`
    Then stdout as JSON has "/calls/0/outcome" equal to "<outcome>"

    Examples:
      | outcome    | answer                                                                            |
      | ok         | < {"jsonrpc":"2.0","id":1,"result":{"isError":false}}                             |
      | failed     | < {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}                 |
      | error      | < {"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}                      |
      | cancelled  | > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}   |
      | unanswered | < {"jsonrpc":"2.0","id":2,"result":{}}                                            |

  Scenario Outline: mcp-replay show <arguments> is refused
    When the user runs `mcp-replay show <arguments>`
    Then the exit code is 2
    And stderr contains "<error>"

    Examples:
      | arguments          | error                     |
      | a --format xml     | --format xml: not known   |
      | a b                | unexpected argument       |
      |                    | no cassette is named      |
      | a --width=-1       | --width -1: not a width   |
