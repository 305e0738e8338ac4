Feature: chrome-devtools-mcp 1.11.0

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "chrome_devtools" version "1.11.0"
    When the host lists the tools
    Then there are 32 tools
    And the tool "take_snapshot" requires:
      | pageId |

  Scenario: It opens a page and looks at it
    When the host calls the tool "new_page" with:
      | url | data:text/html,<title>A page</title><h1>Hello</h1><button>press</button> |
    Then the result contains "2: A page (data:text/html,"
    When the host calls the tool "take_snapshot" with:
      | pageId | 2 |
    Then the result contains:
      """
      uid=1_1 heading "Hello" level="1"
      """
    When the host calls the tool "evaluate_script" with:
      | pageId   | 2                    |
      | function | () => document.title |
    Then the result contains:
      """
      "A page"
      """
    When the host calls the tool "take_snapshot"
    Then the call fails with "Input validation error: Invalid arguments for tool take_snapshot: pageId: Invalid input: expected number, received undefined"
