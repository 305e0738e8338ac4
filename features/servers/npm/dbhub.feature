Feature: @bytebase/dbhub 1.4.0, on its demo database

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "DBHub MCP Server" version "1.4.0"
    When the host lists the tools
    Then the tools are:
      | execute_sql    |
      | search_objects |

  Scenario: It runs a query
    When the host calls the tool "execute_sql" with:
      | sql | select count(*) as n from employee |
    Then the result contains:
      """
      "n": 1000
      """
    When the host calls the tool "search_objects" with:
      | object_type | table |
    Then the result contains:
      """
      "name": "dept_emp"
      """

  Scenario: A query that is none
    When the host calls the tool "execute_sql" with:
      | sql | selec |
    Then the call fails with:
      """
      {
        "success": false,
        "error": "near \"selec\": syntax error",
        "code": "EXECUTION_ERROR"
      }
      """
