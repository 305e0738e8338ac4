Feature: A server on FastMCP of the official Python SDK 1.30.0

  Background:
    Given the server is started

  Scenario: It introduces itself with the version of the SDK
    Then the server is "fastmcp-example" version "1.30.0"
    And the server's instructions contain "Greets and adds."
    When the host lists the tools
    Then there are 5 tools
    And the tool "greet" is read-only
    And the output schema of the tool "add" is:
      """
      {"properties": {"result": {"title": "Result", "type": "integer"}}, "required": ["result"], "title": "addOutput", "type": "object"}
      """

  @CALL-13
  Scenario: Text is coerced to booleans, and long integers stay exact
    When the host lists the tools
    And the host calls the tool "greet" with:
      """
      {"name": "Ada", "excited": "true"}
      """
    Then the result is "Hello, Ada!"
    When the host calls the tool "add" with:
      """
      {"a": 9007199254740993, "b": "1"}
      """
    Then the result is "9007199254740994"
    And the structured content is:
      """
      {"result": 9007199254740994}
      """

  Scenario: It fails, and does not know
    When the host calls the tool "fail" with:
      | reason | because |
    Then the call fails with "Error executing tool fail: because"
    When the host calls the tool "nope"
    Then the call fails with "Unknown tool: nope"

  Scenario: It shows a picture
    When the host calls the tool "picture"
    Then the result is:
      """
      One dot:
      [image: image/gif, 14 bytes, not shown]
      """
