Feature: The exit code follows the class that --fail-on names

  Background:
    Given a file "before.json" with:
      """
      [{"name":"t","annotations":{"destructiveHint":true}}]
      """
    And a file "after.json" with:
      """
      [{"name":"t","annotations":{"destructiveHint":false}}]
      """

  Scenario: The rug pull
    When the user runs `mcp-replay diff before.json after.json --fail-on permission`
    Then the exit code is 1
    And stdout contains:
      """
      PERMISSION
        t: destructiveHint was true and is false: once it is approved or remembered, a host would no longer ask before a call
      """

  Scenario Outline: --fail-on <class> ends with <code>
    When the user runs `mcp-replay diff before.json after.json --fail-on <class>`
    Then the exit code is <code>

    Examples:
      | class      | code |
      | breaking   | 0    |
      | permission | 1    |
      | behaviour  | 1    |
      | wording    | 1    |
      | none       | 0    |
      | nonsense   | 2    |

  Scenario: Nothing has changed
    When the user runs `mcp-replay diff before.json before.json`
    Then stdout is:
      """
      no change
      """

  Scenario: One side is missing
    When the user runs `mcp-replay diff before.json`
    Then the exit code is 2
    And stderr is:
      """
      mcp-replay: two sides are compared, and only 1 named
      hint: mcp-replay diff A B, or mcp-replay diff A -- COMMAND
      """
