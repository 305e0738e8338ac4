Feature: Only what a server offers is asked for, and only tools

  @LIST-5
  Rule: A server without the tools capability has no tools and is not asked

    Scenario Outline: Capabilities <capabilities>, on <transport>
      Given a server on <transport> that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":<capabilities>,"serverInfo":{"name":"bare","version":"1"}}
        """
      And the server is started
      When the host lists the tools
      Then there are 0 tools
      And the server has received 0 "tools/list" messages

      Examples:
        | capabilities       | transport |
        | {}                 | stdio     |
        | {}                 | HTTP      |
        | {"resources":{}}   | stdio     |
        | {"tools":null}     | stdio     |

  @LIST-6
  Rule: Resources and prompts are never asked for

    Scenario Outline: A server that has them, on <transport>
      Given a server on <transport> that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{}},"serverInfo":{"name":"rich","version":"1"}}
        """
      And the server is started
      When the host lists the tools
      And the host calls the tool "echo"
      Then the result is "ok"
      And the server receives in this order:
        | initialize                |
        | notifications/initialized |
        | tools/list                |
        | tools/call                |

      Examples:
        | transport |
        | stdio     |
        | HTTP      |
