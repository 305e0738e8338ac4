Feature: A session begins with a handshake

  @INIT-1 @INIT-4
  Rule: initialize asks for 2025-06-18 and offers no capabilities

    Scenario Outline: What the server is asked, on <transport>
      Given a server on <transport> that answers:
        """
        """
      And the server is started
      Then the server receives "initialize" with "/id" equal to 1
      And the server receives "initialize" with "/params/protocolVersion" equal to "2025-06-18"
      And the server receives "initialize" with "/params/capabilities" equal to {}
      And the server receives "initialize" with "/params/clientInfo/name" equal to "mcp-replay"

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

  @INIT-3
  Rule: Then notifications/initialized, before any other request

    Scenario Outline: The order of a session, on <transport>
      Given a server on <transport> that answers:
        """
        """
      And the server is started
      When the host lists the tools
      And the host calls the tool "echo"
      Then the server receives in this order:
        | initialize                |
        | notifications/initialized |
        | tools/list                |
        | tools/call                |
      And the call succeeds

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

  Scenario: What the server says of itself
    Given a server that answers:
      """
      initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"press","title":"The press","version":"0.9"},"instructions":"Mind your fingers."}
      """
    And the server is started
    Then the server is "press" version "0.9"
    And the server's instructions contain "Mind your fingers."
    And the server offers "tools"
    And the server does not offer "resources"

  Scenario: A server that refuses
    Given a server that answers:
      """
      initialize  error {"code":-32000,"message":"closed on Sundays"}
      """
    When the host starts the server
    Then the start fails with "the server refused initialize: closed on Sundays (code -32000)"
    And the server's processes have ended
