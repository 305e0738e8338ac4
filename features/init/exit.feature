@INIT-6
Feature: A server that cannot start says why

  Scenario: It exits before it answers
    Given a server that writes:
      """
      @@STDERR reading settings@@
      @@STDERR no key for the press@@
      @@EXIT 3@@
      """
    When the host starts the server
    Then the start fails with:
      """
      the server exited with code 3; its stderr ends: reading settings
      no key for the press
      """
    And the start takes less than 15 s

  Scenario: It exits after it has answered
    Given a server that writes:
      """
      @@ANSWER initialize@@
      @@AFTER:tools/list@@
      @@EXIT 0@@
      """
    And the server is started
    When the host tries to list the tools
    Then the listing fails with "tools/list: outcome unknown: the server exited with code 0"

  Scenario: It closes its stdout and says nothing
    Given a server that writes:
      """
      @@EXIT 0@@
      """
    When the host starts the server
    Then the start fails with "the server exited with code 0"

  Scenario: There is no such command
    When the user runs `mcp-replay tools -- no-such-command-anywhere --flag`
    Then the exit code is 3
    And stderr contains:
      """
      command "no-such-command-anywhere": executable file not found in $PATH: looked in PATH=
      """
    And stderr contains "hint: check that no-such-command-anywhere is installed, or give its whole path"
