Feature: mcp-server-kubernetes 4.1.7, without a cluster

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "kubernetes" version "4.1.7"
    When the host lists the tools
    Then there are 23 tools
    And the tool "cleanup" is destructive

  Scenario: A result without content
    When the host calls the tool "ping"
    Then the result is ""
    And the answer has "/content" equal to []

  Scenario: A tool that it does not have
    When the host calls the tool "no_such_tool"
    Then the call fails with "MCP error -32600: Unknown tool: no_such_tool (code -32600)"
