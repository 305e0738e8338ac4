Feature: mcp-server-fetch 2026.10.24

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "mcp-fetch" version "2026.10.24"
    When the host lists the tools
    Then the tools are:
      | fetch |

  Scenario: It fetches a page
    When the host calls the tool "fetch" with:
      | url | http://127.0.0.1:18473 |
      | raw | true                   |
    Then the result contains "<h1>Hello</h1>"
    When the host calls the tool "fetch" with:
      | url | http://127.0.0.1:18473/nowhere |
    Then the call fails with "Error executing tool fetch: Failed to fetch http://127.0.0.1:18473/nowhere - status code 404"

  Scenario: It refuses what is no address
    When the host calls the tool "fetch" with:
      | url | no url |
    Then the call fails with a text that contains "Input should be a valid URL, relative URL without a base"
