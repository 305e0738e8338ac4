Feature: @upstash/context7-mcp 4.1.1

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "Context7" version "4.1.1"
    And the server's instructions contain "current documentation"
    When the host lists the tools
    Then the tools are:
      | query-docs         |
      | resolve-library-id |

  Scenario: It refuses arguments that do not fit
    When the host calls the tool "query-docs"
    Then the call fails with "Input validation error: Invalid arguments for tool query-docs: libraryId: Invalid input: expected string, received undefined, query: Invalid input: expected string, received undefined"
