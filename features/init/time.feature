@INIT-5
Feature: Connecting has its own time, whatever a call may take

  Scenario Outline: A server that never answers, on <transport>
    Given a server on <transport> that answers:
      """
      initialize  nothing
      """
    And a call may take 10 s
    And the start may take 300 ms
    When the host starts the server
    Then the start fails with "initialize: timeout: no answer within 300ms"
    And the start takes more than 290 ms
    And the start takes less than 10 s

    Examples:
      | transport |
      | stdio     |
      | HTTP      |

  Scenario: A listing has the same time
    Given a server that answers:
      """
      tools/list  nothing
      """
    And a call may take 10 s
    And the start may take 300 ms
    And the server is started
    When the host tries to list the tools
    Then the listing fails with "tools/list: timeout: no answer within 300ms"

  Scenario: Twenty seconds, where nothing else is said
    When the user runs `mcp-replay tools --help`
    Then the exit code is 0
    And stdout contains "seconds that connecting may take, 1 to 600 (default 20)"

  Scenario: The command line gives another time
    Given a server that answers:
      """
      initialize  nothing
      """
    When the user runs `mcp-replay tools --connect-timeout 1 -- {server}`
    Then the exit code is 3
    And it takes less than 15 s
    And stderr contains "no answer within 1s"
    And the server's processes have ended
