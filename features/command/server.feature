Feature: The verb server runs a built-in server

  Scenario: The demo server speaks on stdin and stdout, and ends with its input
    When the user runs `mcp-replay server demo` with the input:
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
      """
    Then the exit code is 0
    And stdout as JSON has "/result/serverInfo/name" equal to "mcp-replay-demo"
    And stderr is empty

  Scenario: A host that speaks no JSON
    When the user runs `mcp-replay server demo` with the input:
      """
      hello
      """
    Then the exit code is 3
    And stdout is empty
    And stderr contains:
      """
      mcp-replay: the host's messages cannot be read:
      """

  Scenario Outline: Wrong use: mcp-replay server <arguments>
    When the user runs `mcp-replay server <arguments>`
    Then the exit code is 2
    And stdout is empty
    And stderr is:
      """
      mcp-replay: <error>
      hint: <hint>
      """

    Examples:
      | arguments                   | error                                                                       | hint                                                        |
      |                             | no built-in server is named                                                 | mcp-replay server --help lists them                         |
      | dmo                         | no built-in server is named "dmo"; did you mean demo?                       | mcp-replay server --help lists them                         |
      | demo notes                  | unexpected argument "notes"                                                 | --help after the command shows what it takes                |
      | demo --json                 | --json and --stateless have no use without --listen                         | add --listen ADDR                                           |
      | demo --listen nonsense      | --listen nonsense: listen tcp: address nonsense: missing port in address    | --listen HOST:PORT takes a free port; port 0 picks one      |
