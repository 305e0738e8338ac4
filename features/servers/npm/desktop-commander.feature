Feature: @wonderwhy-er/desktop-commander 0.2.52

  Background:
    Given the server is started

  Scenario: It introduces itself, and writes log messages before it is asked anything
    Then the server is "desktop-commander" version "0.2.52"
    And the server notifies the host of "notifications/message"
    When the host lists the tools
    Then there are 26 tools
    And the tool "read_file" is read-only

  Scenario: It reads what is there
    When the host calls the tool "read_file" with:
      | path | /tmp/mcp-replay-interop/npm/desktop-commander/hello.txt |
    Then the result is:
      """
      [Reading 1 lines from start (total: 1 lines, 0 remaining)]

      hello
      """
    When the host calls the tool "list_searches"
    Then the result is "No active searches."

  Scenario: It keeps to its folder
    When the host calls the tool "read_file" with:
      | path | /etc/hostname |
    Then the call fails with a text that contains "Error: Path not allowed: /etc/hostname."
