Feature: sequentialthinking, an example of the official Go SDK 1.8.0

  Background:
    Given the server is started

  Scenario: Its schemas have lists of types
    When the host lists the tools
    Then the tools are:
      | continue_thinking |
      | review_thinking   |
      | start_thinking    |
    And the input schema of the tool "continue_thinking" has "/properties/nextNeeded/type" equal to ["null","boolean"]

  Scenario: It thinks
    When the host lists the tools
    And the host calls the tool "start_thinking" with:
      | problem   | lunch |
      | sessionId | s1    |
    Then the result contains "Started thinking session 's1' for problem: lunch"
    When the host calls the tool "continue_thinking" with:
      """
      {"sessionId": "s1", "thought": "soup", "estimatedTotal": "3"}
      """
    Then the result contains "Step 1 of ~3"
    When the host calls the tool "review_thinking" with:
      | sessionId | s1 |
    Then the result contains "1. soup"
    When the host calls the tool "review_thinking" with:
      | sessionId | s2 |
    Then the call fails with "session s2 not found"
