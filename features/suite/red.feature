Feature: A spec that does not hold turns the run red

  Background:
    Given a server with the defaults of a fake

  Scenario: A scenario that holds
    Given a file "specs/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
          When the host calls the tool "echo"
          Then the result is "ok"
      """
    When the user runs `mcp-replay test specs -- {server}`
    Then the exit code is 0
    And stdout contains "1 scenario (1 passed), 3 steps (3 passed)"

  Scenario: The server answers otherwise
    Given a file "specs/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
          When the host calls the tool "echo"
          Then the result is "no"
          And the call succeeds
      """
    When the user runs `mcp-replay test specs -- {server}`
    Then the exit code is 1
    And stdout contains:
      """
      specs/echo.feature:5:5: failed: the result is "no"
        in the scenario "The tool answers", line 2
        5 |     Then the result is "no"
          |     ^^^^^^^^^^^^^^^^^^^^^^^
        it is "ok", not "no"
      """
    And stdout contains "4 steps (2 passed, 1 failed, 1 skipped)"

  Scenario: A step that nobody has written
    Given a file "specs/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
          When the host calls a tool "echo"
      """
    When the user runs `mcp-replay test specs -- {server}`
    Then the exit code is 1
    And stdout contains:
      """
        hint: the nearest one reads: When the host calls the tool "list_notes"
              mcp-replay test --steps lists the vocabulary
      """

  Scenario: No scenario at all
    Given a file "specs/echo.feature" with:
      """
      Feature: echo
        @slow
        Scenario: The tool answers
          Given the server is started
      """
    When the user runs `mcp-replay test specs --tags 'not @slow' -- {server}`
    Then the exit code is 2
    And stdout is empty
    And stderr is:
      """
      mcp-replay: test: no scenario is selected: none of 1 has the tags not @slow
      hint: a path is a feature or a folder of features; --tags selects among them
      """

  Scenario: A scenario without steps
    Given a file "specs/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
      """
    When the user runs `mcp-replay test specs -- {server}`
    Then the exit code is 1
    And stdout contains "1 scenario (1 undefined), 0 steps"

  Scenario: A failed result that no step mentions
    Given a server that answers:
      """
      tools/call  {"content":[{"type":"text","text":"out of paper"}],"isError":true}
      """
    And a file "specs/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
          When the host calls the tool "echo"
      """
    When the user runs `mcp-replay test specs -- {server}`
    Then the exit code is 1
    And stdout contains:
      """
      specs/echo.feature:2: at the end of the scenario "The tool answers"
        no step has mentioned it: the call of "echo" fails: out of paper
      """

  Scenario: A first keyword with a typing error
    Given a file "specs/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Givn the server is started
          Then there are 7 tools
      """
    When the user runs `mcp-replay test specs -- {server}`
    Then the exit code is 2
    And stderr contains:
      """
      specs/echo.feature:2: the description below looks like a step, and would not run: "Givn the server is started"
      """
