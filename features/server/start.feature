Feature: The demo notebook introduces itself

  Background:
    Given the server is started

  Scenario: Name, version, revision
    Then the server is "mcp-replay-demo" version "1.0.0"
    And the session speaks protocol version "2025-06-18"
    And the server's instructions contain "Two notes are in it from the start"
    And the start takes less than 15 s

  Scenario: It has tools, and nothing else
    Then the server offers "tools/listChanged"
    And the server does not offer "resources"
    And the server does not offer "prompts"

  Scenario: It answers a ping
    When the host pings the server
