Feature: Who may speak to the host

  Background:
    Given the user serves with `mcp-replay serve`

  @API-6
  Rule: Every route wants the token, from a file that only its owner can read

    Scenario: The token's file
      Then ".imurun/api-token" has the mode 600
      And the file ".imurun/api-token" has 1 line

    Scenario Outline: <what> is refused
      When a client sends <method> <path> with the header "Authorization" equal to "<authorization>"
      Then the host answers 401, with:
        """
        {"error":"the request carries no valid token: Authorization: Bearer TOKEN"}
        """
      And the host's answer has the header "WWW-Authenticate" equal to "Bearer"

      Examples:
        | what                   | method | path                           | authorization  |
        | no token               | GET    | /api/mcp/servers               |                |
        | a wrong token          | GET    | /api/mcp/servers               | Bearer wrong   |
        | another scheme         | GET    | /api/mcp/servers               | Basic {token}  |
        | the events             | GET    | /api/events                    | Bearer wrong   |
        | a call                 | POST   | /api/mcp/tools/x/call          | Bearer wrong   |
        | an answer              | POST   | /api/mcp/approvals/1           | Bearer wrong   |
        | a route that is not    | GET    | /api/nothing                   | Bearer wrong   |
        | a route in other words | GET    | /%61pi/mcp/servers             | Bearer wrong   |

    Scenario Outline: The page holds no data, and wants none: <path>
      When a client sends GET <path> with the header "Authorization" equal to ""
      Then the host answers 200
      And the host's answer has the header "Content-Type" equal to "<type>"
      And the host's answer has the header "X-Content-Type-Options" equal to "nosniff"
      And the host's answer does not contain "{token}"

      Examples:
        | path          | type                           |
        | /             | text/html; charset=utf-8       |
        | /main.js      | text/javascript; charset=utf-8 |
        | /style.css    | text/css; charset=utf-8        |
        | /openapi.json | application/json               |

  @API-6
  Rule: A foreign Host or Origin is refused

    Scenario Outline: <header>: <value> is refused
      When a client sends GET <path> with the header "<header>" equal to "<value>"
      Then the host answers 403, with:
        """
        {"error":"<error>"}
        """

      Examples:
        | path             | header         | value                    | error                                        |
        | /api/mcp/servers | Host           | evil.example             | the request's Host is not this server's      |
        | /                | Host           | evil.example:8930        | the request's Host is not this server's      |
        | /                | Host           | 127.0.0.1.nip.io         | the request's Host is not this server's      |
        | /api/mcp/servers | Origin         | http://evil.example      | the request comes from a page of another origin |
        | /api/mcp/servers | Origin         | null                     | the request comes from a page of another origin |
        | /api/mcp/servers | Origin         | http://127.0.0.1:1       | the request comes from a page of another origin |
        | /api/mcp/servers | Sec-Fetch-Site | cross-site               | the request comes from a page of another origin |
        | /api/mcp/servers | Sec-Fetch-Site | same-site                | the request comes from a page of another origin |

    Scenario Outline: <header>: <value> is this server's own
      When a client sends GET /api/mcp/servers with the header "<header>" equal to "<value>"
      Then the host answers 200

      Examples:
        | header         | value          |
        | Host           | localhost      |
        | Host           | LOCALHOST:8930 |
        | Host           | [::1]:8930     |
        | Origin         | {api}          |
        | Sec-Fetch-Site | same-origin    |
        | Sec-Fetch-Site | none           |

  @API-6 @API-7
  Rule: A body has 1 MiB at most

    Scenario: As long as that, and one byte longer
      When a client sends POST /api/mcp/servers with:
        """
        {"id":"a","command":"x","enabled":false,"name":"@@REPEAT 1048526 n@@"}
        """
      Then the host answers 200
      When a client sends POST /api/mcp/servers with:
        """
        {"id":"a","command":"x","enabled":false,"name":"@@REPEAT 1048527 n@@"}
        """
      Then the host answers 413, with:
        """
        {"error":"the body has more than 1048576 bytes"}
        """
