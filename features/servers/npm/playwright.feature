Feature: @playwright/mcp 0.0.83

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "Playwright" version "1.64.0-alpha-1790635538000"
    When the host lists the tools
    Then there are 25 tools
    And the tool "browser_snapshot" is read-only
    And the tool "browser_click" is destructive

  Scenario: It opens a page and looks at it
    When the host calls the tool "browser_navigate" with:
      | url | data:text/html,<title>A page</title><h1>Hello</h1><button>press</button> |
    Then the result contains "- Page Title: A page"
    And the server notifies the host of "notifications/tools/list_changed"
    When the host calls the tool "browser_snapshot"
    Then the result contains:
      """
      - generic [active] [ref=e1]:
        - heading "Hello" [level=1] [ref=e2]
        - button "press" [ref=e3]
      """
    When the host calls the tool "browser_evaluate" with:
      | function | () => document.title |
    Then the result contains:
      """
      ### Result
      "A page"
      """
    When the host calls the tool "browser_click" with:
      | target  | e99     |
      | element | nothing |
    Then the call fails with a text that contains "Ref e99 not found in the current page snapshot"
    When the host calls the tool "browser_close"
    Then the result contains "No open tabs."
