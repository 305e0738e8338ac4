Feature: everything, an example of mcp-go 1.2.1

  Background:
    Given the server is started

  Scenario: It introduces itself, and calls all its tools destructive
    Then the server is "example-servers/everything" version "1.0.0"
    When the host lists the tools
    Then there are 6 tools
    And the tool "echo" is destructive

  Scenario: It answers
    When the host calls the tool "echo" with:
      | message | hello |
    Then the result is "Echo: hello"
    When the host calls the tool "get_resource_link"
    Then the result is:
      """
      Here's a link to a document resource:
      [resource link: Sample document, file:///example/document.pdf, application/pdf]
      You can access this resource using the provided URI.
      """

  Scenario: It tells the progress of nothing
    When the host calls the tool "notify"
    Then the result is "notification sent successfully"
    And the server notifies the host of "notifications/progress"

  @CALL-8
  Scenario: A panic in a tool is a JSON-RPC error
    When the host calls the tool "longRunningOperation" with:
      | duration | 1 |
      | steps    | 2 |
    Then the call fails with "internal panic: runtime error: invalid memory address or nil pointer dereference (code -32603)"
    When the host calls the tool "no_such_tool"
    Then the call fails with "tool 'no_such_tool' not found: tool not found (code -32602)"
