Feature: @modelcontextprotocol/server-postgres 0.6.2, which speaks an old revision, without a database

  Background:
    Given the server is started

  @INIT-2
  Scenario: It introduces itself
    Then the server is "example-servers/postgres" version "0.1.0"
    And the session speaks protocol version "2024-11-05"
    When the host lists the tools
    Then the tools are:
      | query |

  @CALL-8
  Scenario: What went wrong in a tool is a JSON-RPC error
    When the host calls the tool "query" with:
      | sql | select 1 |
    Then the call fails with "connect ECONNREFUSED 127.0.0.1:9 (code -32603)"
    When the host calls the tool "no_such_tool"
    Then the call fails with "Unknown tool: no_such_tool (code -32603)"
