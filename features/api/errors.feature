Feature: Errors over HTTP

  Background:
    Given the settings have the servers:
      """
      {"id": "a", "command": "a-server", "enabled": false}
      """
    And the user serves with `mcp-replay serve`

  @API-7
  Rule: An error is JSON with the reason, and the field where there is one

    Scenario Outline: <method> <path> with <body> is answered <status>
      When a client sends <method> <path> with:
        """
        <body>
        """
      Then the host answers <status>, with:
        """
        <answer>
        """

      Examples:
        | method | path                          | body                               | status | answer |
        | POST   | /api/mcp/servers              | {                                  | 400    | {"error":"the body is not a JSON object: at byte 2: unexpected EOF"} |
        | POST   | /api/mcp/servers              | []                                 | 400    | {"error":"the body is not a JSON object"} |
        | POST   | /api/mcp/servers              | {"id":"a","id":"b"}                | 400    | {"error":"the body has a name twice in one object"} |
        | POST   | /api/mcp/servers              | {"id":"A"}                         | 400    | {"error":"server \"A\": id: must be 1 to 32 characters of a-z, 0-9, - and _","field":"id"} |
        | POST   | /api/mcp/servers              | {"id":"a","timeout":0}             | 400    | {"error":"server a: timeout: must be a whole number of seconds from 1 to 600","field":"timeout"} |
        | POST   | /api/mcp/servers              | {"id":"a","url":"https://x"}       | 400    | {"error":"server a: url: belongs to the transport http, and this server is on stdio","field":"url"} |
        | POST   | /api/mcp/servers              | {"id":"a","env":{"K":"********"}}  | 400    | {"error":"server a: env.K: ******** stands for a stored value, and there is none for it; give the value itself","field":"env.K"} |
        | POST   | /api/mcp/servers              | {"id":"a","colour":"red"}          | 400    | {"error":"server a: colour: is no field of a server; there are id, name, transport, command, args, env, cwd, url, headers, enabled, auto_approve, timeout","field":"colour"} |
        | POST   | /api/mcp/tools/x/call         | {"arguments":[]}                   | 400    | {"error":"arguments must be an object","field":"arguments"} |
        | POST   | /api/mcp/servers              | {"id":"b"}                         | 400    | {"error":"server b: transport: is missing; give a command for stdio, or a url for http","field":"transport"} |
        | POST   | /api/mcp/servers              | {"id":"b","command":"x","url":"https://x"} | 400 | {"error":"server b: transport: is missing; must be stdio for the command, or http for the url","field":"transport"} |
        | POST   | /api/mcp/tools/x/call         | {"argument":{}}                    | 400    | {"error":"the body must be {\"arguments\": {…}}"} |
        | POST   | /api/mcp/approvals/1          | {"answer":"maybe"}                 | 400    | {"error":"answer must be \"allow\" or \"deny\"","field":"answer"} |
        | POST   | /api/mcp/approvals/1          | {"answer":"deny","remember":true}  | 400    | {"error":"only what is allowed can be remembered","field":"remember"} |
        | POST   | /api/mcp/approvals/1          | {"answer":"allow"}                 | 404    | {"error":"no such approval is pending: it was answered, or its time ran out"} |
        | PUT    | /api/mcp/servers              | {}                                 | 405    | {"error":"this route does not take PUT"} |

    Scenario Outline: <method> <path> is answered <status>
      When a client sends <method> <path>
      Then the host answers <status>, with:
        """
        <answer>
        """

      Examples:
        | method | path                           | status | answer |
        | GET    | /api/mcp/servers/b             | 404    | {"error":"no server has the id \"b\""} |
        | GET    | /api/mcp/servers/b/tools       | 404    | {"error":"no server has the id \"b\""} |
        | POST   | /api/mcp/servers/b/connect     | 404    | {"error":"no server has the id \"b\""} |
        | POST   | /api/mcp/servers/b/disconnect  | 404    | {"error":"no server has the id \"b\""} |
        | DELETE | /api/mcp/servers/b             | 404    | {"error":"no server has the id \"b\""} |
        | GET    | /api/mcp/nothing               | 404    | {"error":"there is no such route"} |
        | DELETE | /api/mcp/servers/gmail         | 400    | {"error":"server gmail: id: is built in, and cannot be removed; disable it","field":"id"} |
        | POST   | /                              | 405    | {"error":"this route does not take POST"} |

    Scenario: The methods that a route takes are named
      When a client sends DELETE /api/mcp/servers
      Then the host answers 405
      And the host's answer has the header "Allow" equal to "GET, POST"

    Scenario: A body that does not say that it is JSON
      When a client sends POST /api/mcp/servers as "text/plain", with:
        """
        {"id":"a","timeout":5}
        """
      Then the host answers 415, with:
        """
        {"error":"the body must be application/json"}
        """

    Scenario: A settings file that somebody else has broken is left as it is
      Given a file ".imurun/settings.json" with:
        """
        {"mcp": {
        """
      When a client sends POST /api/mcp/servers with:
        """
        {"id":"a","timeout":5}
        """
      Then the host answers 502
      And the file ".imurun/settings.json" is:
        """
        {"mcp": {
        """
