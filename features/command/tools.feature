Feature: The verb tools lists a server's tools

  Scenario Outline: For people, on <transport>
    Given a server on <transport> that answers:
      """
      tools/list  {"tools":[{"name":"read","description":"Reads.","annotations":{"readOnlyHint":true}},{"name":"burn","annotations":{"destructiveHint":true}}]}
      """
    When the user runs `mcp-replay tools <address>`
    Then the exit code is 0
    And stdout is:
      """
      fake 1.0.0, protocol 2025-06-18, 2 tools

      read  (ask, PERM-3)
        Reads.

      burn  (ask, PERM-1)
      """
    And stderr is empty

    Examples:
      | transport | address     |
      | stdio     | -- {server} |
      | HTTP      | --url {url} |

  Scenario: For programs
    Given a server with the defaults of a fake
    When the user runs `mcp-replay tools --json -- {server}`
    Then the exit code is 0
    And stdout as JSON has "/server" equal to {"name":"fake","version":"1.0.0"}
    And stdout as JSON has "/protocolVersion" equal to "2025-06-18"
    And stdout as JSON has "/omitted" equal to 0
    And stdout as JSON has "/tools" equal to:
      """
      [{
        "name": "mcp_server_echo",
        "tool": "echo",
        "description": "Gives back what it gets.",
        "inputSchema": {"type": "object"},
        "decision": "ask",
        "rule": "PERM-4"
      }]
      """
