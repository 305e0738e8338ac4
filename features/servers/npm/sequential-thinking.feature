Feature: @modelcontextprotocol/server-sequential-thinking 2026.8.31

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "sequential-thinking-server" version "2026.8.31"
    When the host lists the tools
    Then the tools are:
      | sequentialthinking |

  Scenario: Thoughts are counted
    When the host lists the tools
    And the host calls the tool "sequentialthinking" with:
      """
      {"thought": "first", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": true}
      """
    Then the structured content has "/thoughtHistoryLength" equal to 1
    When the host calls the tool "sequentialthinking" with:
      """
      {"thought": "last", "thoughtNumber": "2", "totalThoughts": 2, "nextThoughtNeeded": false}
      """
    Then the structured content is:
      """
      {"thoughtNumber": 2, "totalThoughts": 2, "nextThoughtNeeded": false, "branches": [], "thoughtHistoryLength": 2}
      """

  Scenario: A thought alone is not enough
    When the host calls the tool "sequentialthinking" with:
      | thought | alone |
    Then the call fails with a text that contains "expected number, received NaN at thoughtNumber"
