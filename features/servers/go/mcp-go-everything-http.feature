Feature: everything, an example of mcp-go 1.2.1, over HTTP with answers in JSON

  Background:
    Given the server is started

  Scenario: It answers
    When the host lists the tools
    Then there are 6 tools
    When the host calls the tool "echo" with:
      | message | hello |
    Then the result is "Echo: hello"

  Scenario: A panic in a tool breaks off the exchange, and nothing else
    When the host calls the tool "longRunningOperation" with:
      | duration | 1 |
      | steps    | 2 |
    Then the call fails
    When the host calls the tool "no_such_tool"
    Then the call fails with "tool 'no_such_tool' not found: tool not found (code -32602)"
