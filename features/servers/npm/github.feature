Feature: @modelcontextprotocol/server-github 2025.4.8, which speaks an old revision

  Background:
    Given the server is started

  @INIT-2
  Scenario: It introduces itself
    Then the server is "github-mcp-server" version "0.6.2"
    And the session speaks protocol version "2024-11-05"
    When the host lists the tools
    Then there are 26 tools

  @CALL-8
  Scenario: What went wrong in a tool is a JSON-RPC error
    When the host calls the tool "get_issue" with:
      | owner | octocat     |
      | repo  | hello-world |
    Then the call fails with the code -32603
    When the host calls the tool "no_such_tool"
    Then the call fails with "Unknown tool: no_such_tool (code -32603)"
