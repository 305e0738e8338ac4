Feature: Servers, shown and saved over HTTP

  Background:
    Given the settings have the demo server as "demo"
    And the user serves with `mcp-replay serve`

  @API-1 @API-2
  Rule: A server is its settings, its state, what it calls itself, and the number of its tools

    Scenario: One server
      When a client sends POST /api/mcp/servers/demo/connect
      And a client sends GET /api/mcp/servers/demo
      Then the host answers 200, with:
        """
        {"id":"demo","name":"demo","transport":"stdio","command":"{mcp-replay}","args":["server","demo"],
         "enabled":true,"auto_approve":[],"timeout":60,"state":"connected","error":"","protocolVersion":"2025-06-18",
         "server":{"name":"mcp-replay-demo","version":"1.0.0","title":"Demo notebook"},"tools":13}
        """

    Scenario: All servers, in the order of the settings, the built-in ones among them
      When a client sends GET /api/mcp/servers
      Then the host answers 200
      And the host's answer has "/servers/0/id" equal to "demo"
      And the host's answer has "/servers/1/id" equal to "gmail"
      And the host's answer has "/servers/1/state" equal to "disabled"
      And the host's answer has "/servers/2/id" equal to "connectors"

    Scenario: Its tools, with the decision on each and why
      When a client sends POST /api/mcp/servers/demo/connect
      And a client sends GET /api/mcp/servers/demo/tools
      Then the host answers 200
      And the host's answer has "/tools/0" equal to:
        """
        {"name":"mcp_demo_add_note","server":"demo","tool":"add_note","title":"Add a note",
         "description":"[MCP demo] Writes a note, over an older one of the same title.",
         "inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"what stands in it"},
           "title":{"type":"string","description":"title of the note"}},"required":["title","text"],"additionalProperties":false},
         "decision":"ask","rule":"PERM-4","why":"the server does not say that this tool only reads","mayRemember":true}
        """

  @API-2
  Rule: POST adds a server or changes what its body names, and answers it as GET shows it

    Scenario: A new one
      When a client sends POST /api/mcp/servers with:
        """
        {"id":"notes","command":"a-server","enabled":false,"env":{"API_KEY":"hunter2hunter2","MODE":"quick"}}
        """
      Then the host answers 200, with:
        """
        {"id":"notes","name":"notes","transport":"stdio","command":"a-server","env":{"API_KEY":"********","MODE":"********"},
         "enabled":false,"auto_approve":[],"timeout":60,"state":"disabled","error":"","tools":0}
        """
      And the file ".imurun/settings.json" contains:
        """
        hunter2hunter2
        """

    Scenario: A partial body; lists and tables are replaced whole, and a mask keeps what is stored
      Given a client sends POST /api/mcp/servers with:
        """
        {"id":"notes","command":"a-server","args":["one","two"],"enabled":false,"env":{"API_KEY":"hunter2hunter2","MODE":"quick"},"auto_approve":["x"]}
        """
      When a client sends POST /api/mcp/servers with:
        """
        {"id":"notes","name":"Notes","args":["three"],"env":{"API_KEY":"********"},"auto_approve":["y"]}
        """
      Then the host answers 200, with:
        """
        {"id":"notes","name":"Notes","transport":"stdio","command":"a-server","args":["three"],"env":{"API_KEY":"********"},
         "enabled":false,"auto_approve":["y"],"timeout":60,"state":"disabled","error":"","tools":0}
        """
      And the server "notes" has "/env" equal to {"API_KEY":"hunter2hunter2"}

    Scenario: null takes a field back to its default
      When a client sends POST /api/mcp/servers with:
        """
        {"id":"demo","name":"Notebook","timeout":5,"enabled":false}
        """
      And a client sends POST /api/mcp/servers with:
        """
        {"id":"demo","name":null,"timeout":null}
        """
      Then the host answers 200
      And the host's answer has "/name" equal to "demo"
      And the host's answer has "/timeout" equal to 60

  @API-3
  Rule: DELETE takes a server out of the settings

    Scenario: It is gone
      When a client sends DELETE /api/mcp/servers/demo
      Then the host answers 204
      When a client sends GET /api/mcp/servers/demo
      Then the host answers 404, with:
        """
        {"error":"no server has the id \"demo\""}
        """
