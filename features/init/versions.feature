@INIT-2
Feature: Three protocol versions are accepted, and no other

  Scenario Outline: <version> is accepted, on <transport>
    Given a server on <transport> that answers:
      """
      initialize  {"protocolVersion":"<version>","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}
      """
    And the server is started
    Then the session speaks protocol version "<version>"
    When the host calls the tool "echo"
    Then the result is "ok"

    Examples:
      | version    | transport |
      | 2025-06-18 | stdio     |
      | 2025-06-18 | HTTP      |
      | 2025-03-26 | stdio     |
      | 2025-03-26 | HTTP      |
      | 2024-11-05 | stdio     |
      | 2024-11-05 | HTTP      |

  Scenario Outline: <version> is refused
    Given a server that answers:
      """
      initialize  {"protocolVersion":<version>,"capabilities":{"tools":{}},"serverInfo":{"name":"new","version":"1"}}
      """
    When the host starts the server
    Then the start fails with:
      """
      the server speaks protocol version <said>; asked for was "2025-06-18", and taken are 2025-06-18, 2025-03-26, 2024-11-05
      """
    And the server's processes have ended
    And the server has received 0 "notifications/initialized" messages

    Examples:
      | version      | said         |
      | "2099-01-01" | "2099-01-01" |
      | "1.0"        | "1.0"        |
      | ""           | ""           |
      | 20250618     | ""           |

  Scenario: Over HTTP the session that the server has begun is ended
    Given an HTTP server with the exchanges:
      """
      POST initialize -> 200 application/json
        Mcp-Session-Id: s1
        {"jsonrpc":"2.0","id":@@ID@@,"result":{"protocolVersion":"2099-01-01","capabilities":{},"serverInfo":{"name":"new","version":"1"}}}
      """
    When the host starts the server
    Then the start fails with:
      """
      the server speaks protocol version "2099-01-01"; asked for was "2025-06-18", and taken are 2025-06-18, 2025-03-26, 2024-11-05
      """
    And the server has had the requests:
      | POST initialize |
      | DELETE          |

  Scenario: An answer without a version is refused
    Given a server that answers:
      """
      initialize  {}
      """
    When the host starts the server
    Then the start fails with a reason that contains "2025-06-18"
    And the server's processes have ended
