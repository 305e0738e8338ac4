Feature: Events

  Background:
    Given a server that answers:
      """
      initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}
      """
    And the settings have the fake server as "a"
    And the user serves with `mcp-replay serve`
    And a client sends POST /api/mcp/servers/a/connect

  @API-4 @API-5
  Rule: The stream tells in order what happens to a server, each event with an id

    Scenario: It is disconnected, and cannot be connected again
      When a client listens to the events
      And a client sends POST /api/mcp/servers/a/disconnect
      And a client sends POST /api/mcp/servers with:
        """
        {"id": "a", "name": "Alpha", "enabled": false}
        """
      And a client sends POST /api/mcp/servers with:
        """
        {"id": "a", "enabled": true, "command": "/no/such/program"}
        """
      Then the client has got the events:
        """
        mcp.disconnected {"id":"a","name":"a","reason":"disconnected by the user"}
        mcp.error {"id":"a","name":"Alpha","error":"command \"/no/such/program\": stat /no/such/program: no such file or directory (folder {dir})"}
        """
      And the ids of the events rise by 1

    Scenario: It is connected
      When a client listens to the events
      And a client sends POST /api/mcp/servers with:
        """
        {"id": "a", "timeout": 5}
        """
      Then the client has got the events:
        """
        mcp.disconnected {"id":"a","name":"a","reason":"the server was saved"}
        mcp.connected {"id":"a","name":"a","tools":1,"protocolVersion":"2025-06-18","server":{"name":"fake","version":"1"}}
        """

  @API-5
  Rule: Last-Event-ID resumes

    Scenario: What came meanwhile is sent again, and nothing twice
      Given a client listens to the events
      And a client sends POST /api/mcp/servers/a/disconnect
      And the client has got the events:
        """
        mcp.disconnected {"id":"a","name":"a","reason":"disconnected by the user"}
        """
      And a client sends POST /api/mcp/servers/a/connect
      And a client sends DELETE /api/mcp/servers/a
      When a client listens to the events after the event 1
      Then the client has got the events:
        """
        mcp.connected {"id":"a","name":"a","tools":1,"protocolVersion":"2025-06-18","server":{"name":"fake","version":"1"}}
        mcp.disconnected {"id":"a","name":"a","reason":"the server was removed from the settings"}
        """

    Scenario: An id that no server gives is refused
      When a client sends GET /api/events with the header "Last-Event-ID" equal to "seven"
      Then the host answers 400, with:
        """
        {"error":"Last-Event-ID is no id that this server gives"}
        """
