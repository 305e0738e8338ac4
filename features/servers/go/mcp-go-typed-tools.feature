Feature: typed_tools, an example of mcp-go 1.2.1

  Background:
    Given the server is started

  Scenario: Its name is not in ASCII
    Then the server is "Typed Tools Demo 🚀" version "1.0.0"
    When the host lists the tools
    Then the tools are:
      | greeting |

  @CALL-13
  Scenario: Numbers, booleans and lists that come as text are coerced
    When the host lists the tools
    And the host calls the tool "greeting" with:
      """
      {"name": "Ada", "age": "36", "is_vip": "true", "languages": "[\"en\",\"fr\"]"}
      """
    Then the result is "Hello, Ada! You are 36 years old. Welcome back, valued VIP customer! You speak 2 languages: [en fr]."
    When the host calls the tool "greeting"
    Then the call fails with "name is required"
