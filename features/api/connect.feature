Feature: Connecting and disconnecting over HTTP

  @API-3
  Rule: POST …/connect waits until the server is connected, and answers it as GET shows it

    Scenario: It is connected, and disconnected again
      Given the settings have the demo server as "demo"
      And the user serves with `mcp-replay serve`
      When a client sends POST /api/mcp/servers/demo/connect
      Then the host answers 200
      And the host's answer has "/state" equal to "connected"
      When a client sends POST /api/mcp/servers/demo/disconnect
      Then the host answers 200
      And the host's answer has "/state" equal to "disconnected"
      And the host's answer has "/error" equal to "disconnected by the user"

    Scenario: One that is connected again answers at once
      Given the settings have the demo server as "demo"
      And the user serves with `mcp-replay serve`
      When a client sends POST /api/mcp/servers/demo/connect
      And a client sends POST /api/mcp/servers/demo/connect
      Then the host answers 200
      And the host's answer has "/tools" equal to 13

  @API-3 @API-7
  Rule: 409 where the server is not to be connected, 502 with the reason where it cannot be

    Scenario: It is disabled
      Given the settings have the servers:
        """
        {"id": "a", "command": "a-server", "enabled": false}
        """
      And the user serves with `mcp-replay serve`
      When a client sends POST /api/mcp/servers/a/connect
      Then the host answers 409, with:
        """
        {"error":"the server is disabled"}
        """

    @PERM-8
    Scenario: The network is off
      Given the settings have the servers:
        """
        {"id": "a", "url": "http://127.0.0.1:9/mcp"}
        """
      And the user serves with `mcp-replay serve --network off`
      When a client sends POST /api/mcp/servers/a/connect
      Then the host answers 409, with:
        """
        {"error":"the network is switched off, and this server is reached over HTTP"}
        """

    @INIT-6
    Scenario: It exits while it starts
      Given a server that answers:
        """
        initialize  exit 3
        """
      And the settings have the fake server as "a"
      And the user serves with `mcp-replay serve`
      When a client sends POST /api/mcp/servers/a/connect
      Then the host answers 502, with:
        """
        {"error":"the server exited with code 3"}
        """

    @CFG-12
    Scenario: A variable that it needs is not set
      Given the settings have the servers:
        """
        {"id": "a", "command": "a-server", "env": {"KEY": "${env:NOT_SET_ANYWHERE}"}}
        """
      And the user serves with `mcp-replay serve`
      When a client sends POST /api/mcp/servers/a/connect
      Then the host answers 502, with:
        """
        {"error":"server a: env.KEY: the environment variable NOT_SET_ANYWHERE is not set","field":"env.KEY"}
        """

    @CFG-4
    Scenario: Its entry in the settings is wrong
      Given the settings have the servers:
        """
        {"id": "a", "transport": "stdio"}
        """
      And the user serves with `mcp-replay serve`
      When a client sends POST /api/mcp/servers/a/connect
      Then the host answers 502, with:
        """
        {"error":"server a: command: is missing; a server on stdio needs one","field":"command"}
        """
