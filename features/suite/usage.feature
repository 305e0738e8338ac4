Feature: The verb test says what is wrong with its use

  Scenario Outline: <flags> → <exit code>, <says>
    Given a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
      """
    When the user runs `mcp-replay test <flags>`
    Then the exit code is <exit code>
    And stderr contains "<says>"

    Examples: Flags that do not fit
      | flags                            | exit code | says                                                |
      | --mode sometimes                 | 2         | there are replay, once, record and live             |
      | --mode record                    | 2         | --mode record has no use without cassettes          |
      | --mode record --cassettes tapes  | 2         | no server is named                                  |
      | --mode once --cassettes a.jsonl  | 2         | one cassette cannot be that of every scenario       |
      | --format html                    | 2         | there is no such format                             |
      | --format pretty,progress         | 2         | both pretty and progress would go to stdout         |
      | --format junit:                  | 2         | no file is named                                    |
      | --shard 5/4                      | 2         | the part is not one of 1 to 4                       |
      | --jobs 0                         | 2         | --jobs 0: out of range                              |
      | --tags '@a and'                  | 2         | it ends too early                                   |
      | --steps=some                     | 2         | there is no such part of the vocabulary             |
      | nowhere                          | 2         | nowhere                                             |
      | features/echo.feature:99         | 2         | none begins at features/echo.feature:99             |
      | --url http://example.com/mcp     | 2         | use https://                                        |

  Scenario: A server that cannot be started
    Given a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
      """
    When the user runs `mcp-replay test -- no-such-command-anywhere`
    Then the exit code is 3
    And stdout contains "no-such-command-anywhere"

  Scenario: No server is named
    Given a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
      """
    When the user runs `mcp-replay test`
    Then the exit code is 1
    And stdout contains:
      """
        no server is named
        hint: name it on the command line (-- COMMAND, --url URL or --cassettes DIR), or begin with a step that names one
      """

  Scenario: Several reports at once
    Given a server with the defaults of a fake
    And a file "features/echo.feature" with:
      """
      Feature: echo
        Scenario: The tool answers
          Given the server is started
      """
    When the user runs `mcp-replay test --format progress,junit:report.xml,messages:report.ndjson -- {server}`
    Then the exit code is 0
    And stdout contains "1 scenario (1 passed)"
    And the file "report.xml" contains:
      """
      <testcase classname="echo" name="The tool answers" file="features/echo.feature" line="2"
      """
    And the file "report.ndjson" contains:
      """
      {"testRunFinished":{"success":true
      """

  Scenario: A shard of the scenarios
    Given a server with the defaults of a fake
    And a file "features/two.feature" with:
      """
      Feature: two
        Scenario: one
          Given the server is started
        Scenario: two
          Given the server is started
      """
    When the user runs `mcp-replay test --shard 2/2 -- {server}`
    Then the exit code is 0
    And stdout contains "Scenario: two"
    And stdout does not contain "Scenario: one"
    And the server has been started 1 time
