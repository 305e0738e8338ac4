Feature: The demo notebook takes its time

  Scenario: Progress is told to who asks for it
    Given the server is started
    When the host calls the tool "bind_notebook", asking for progress, with:
      | pages    | 2  |
      | pause_ms | 20 |
    Then the result is "Bound 2 pages."
    And the server reports progress 2 times
    And the progress is:
      | progress | total | message      |
      | 1        | 2     | bound a page |
      | 2        | 2     | bound a page |

  Scenario: Five pages, by default
    Given the server is started
    When the host calls the tool "bind_notebook", asking for progress
    Then the result is "Bound 5 pages."
    And the server reports progress 5 times

  Scenario: The list of tools changes
    Given the server is started
    When the host calls the tool "open_archive" with:
      | open | true |
    Then the result is "The archive is open."
    When the host lists the tools
    Then there is a tool "read_archive"
    When the host calls the tool "open_archive" with:
      | open | false |
    Then the result is "The archive is closed."
    When the host lists the tools
    Then there is no tool "read_archive"

  @stdio
  Scenario: The host is told that the list has changed
    Given the server is started
    When the host calls the tool "open_archive" with:
      | open | true |
    Then the call succeeds
    And the server notifies the host of "notifications/tools/list_changed"

  @live
  Scenario: A call is given up
    Given the server is started
    When the host calls the tool "bind_notebook" and gives up after 50 ms
    Then the call fails with "tools/call: given up: context canceled"
    And the call takes less than 5 s

  @live
  Scenario: A call takes too long
    Given a call may take 100 ms
    And the server is started
    When the host calls the tool "bind_notebook"
    Then the call fails with a text that contains "no answer within 100ms"
    And the call takes more than 90 ms
