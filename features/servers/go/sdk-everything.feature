Feature: everything, an example of the official Go SDK 1.8.0

  Background:
    Given the server is started

  Scenario: It introduces itself, without a version
    Then the server is "everything" version ""
    And the server's instructions contain "Use this server!"

  Scenario: The names of its tools have spaces and brackets
    When the host lists the tools
    Then there are 10 tools
    And there is a tool "greet (content with ResourceLink)"

  Scenario: It greets
    When the host calls the tool "greet" with:
      | name | Ada |
    Then the result is "Hi Ada"
    When the host calls the tool "greet (structured)" with:
      | name | Ada |
    Then the structured content is:
      """
      {"message": "Hi Ada"}
      """

  @RPC-5 @RPC-6
  Scenario: It asks its client in the middle of a call
    When the host calls the tool "ping"
    Then the result is ""
    When the host calls the tool "sample"
    Then the call fails with a text that contains "sampling failed"
    When the host calls the tool "roots"
    Then the call fails with a text that contains "listing roots failed"

  Scenario: It refuses what it does not know
    When the host calls the tool "greet" with:
      | nom | Ada |
    Then the call fails with:
      """
      validating "arguments": validating root: unexpected additional properties ["nom"]
      """
    When the host calls the tool "no such tool"
    Then the call fails with the code -32602
