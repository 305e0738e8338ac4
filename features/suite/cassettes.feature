Feature: A spec runs against cassettes

  Background:
    Given a server that answers:
      """
      tools/call  {"content":[{"type":"text","text":"hello"}]}
      """
    And a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
          When the host calls the tool "echo"
          Then the result is "hello"
      """

  @REP-1
  Scenario: A session is recorded, and played without the server
    When the user runs `mcp-replay test --cassettes tapes --mode record -- {server}`
    Then the exit code is 0
    And the server has been started 1 time
    When the user runs `mcp-replay test --cassettes tapes`
    Then the exit code is 0
    And the server has been started 1 time

  Scenario: Only what is missing is recorded
    When the user runs `mcp-replay test --cassettes tapes --mode once -- {server}`
    And the user runs `mcp-replay test --cassettes tapes --mode once -- {server}`
    Then the exit code is 0
    And the server has been started 1 time

  Scenario: Cassettes are left alone
    When the user runs `mcp-replay test --cassettes tapes --mode live -- {server}`
    Then the exit code is 0
    And there is no file "tapes"

  Scenario: A changed cassette is found out
    When the user runs `mcp-replay test --cassettes tapes --mode record -- {server}`
    Then the exit code is 0
    When the text "hello" in the file "tapes/echo/the-tool-answers.jsonl" becomes "goodbye"
    And the user runs `mcp-replay test --cassettes tapes`
    Then the exit code is 1
    And stdout contains:
      """
        it is "goodbye", not "hello"
      """

  Scenario: A scenario that does less than was recorded
    When the user runs `mcp-replay test --cassettes tapes --mode record -- {server}`
    Then the exit code is 0
    Given a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
      """
    When the user runs `mcp-replay test --cassettes tapes`
    Then the exit code is 1
    And stdout contains:
      """
      features/echo.feature:2: at the end of the scenario "The tool answers"
        the cassette is not played to its end: frame 4, tools/call "echo"
        hint: record it anew with --mode record, or mention it: Then 1 recorded message is left unplayed
      """
    Given a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
          Then 1 recorded message is left unplayed
      """
    When the user runs `mcp-replay test --cassettes tapes`
    Then the exit code is 0

  Scenario: A cassette that is not there
    When the user runs `mcp-replay test --cassettes tapes`
    Then the exit code is 2
    And stdout contains:
      """
        hint: record it: --mode once records what is missing from the server that is named
      """

  Scenario: A recording of a scenario that fails is not kept
    Given a server that answers:
      """
      tools/call  {"content":[{"type":"text","text":"goodbye"}]}
      """
    When the user runs `mcp-replay test --cassettes tapes --mode record -- {server}`
    Then the exit code is 1
    And there is no file "tapes/echo/the-tool-answers.jsonl"
    And there is no file "tapes/echo/the-tool-answers.jsonl.new"

  Scenario: One cassette for every scenario
    When the user runs `mcp-replay test --cassettes tapes --mode record -- {server}`
    And the user runs `mcp-replay test --cassettes tapes/echo/the-tool-answers.jsonl`
    Then the exit code is 0

  Scenario: Two scenarios with one name
    Given a file "features/twice.feature" with:
      """
      Feature: twice
        Scenario: The tool answers
          Given the server is started
        Scenario: The tool answers!
          Given the server is started
      """
    When the user runs `mcp-replay test --cassettes tapes`
    Then the exit code is 2
    And stderr contains "features/twice.feature:4: the scenario"
