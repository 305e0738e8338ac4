Feature: The verb serve

  Background:
    Given the settings have the demo server as "demo"

  @API-6 @LIFE-6
  Rule: A signal ends it in order, with exit code 0

    Scenario Outline: <signal>, while a client listens and a call waits
      Given the user serves with `mcp-replay serve`
      And a client sends POST /api/mcp/servers/demo/connect
      And a client listens to the events
      And a client begins to send POST /api/mcp/tools/mcp_demo_add_note/call with:
        """
        {"arguments":{"title":"a","text":"b"}}
        """
      And the approvals are "/approvals/0/tool" equal to "add_note"
      When the user stops it by <signal>
      Then the served command ends with exit code 0 within 4 s
      And the log is JSON, line by line
      And the log contains:
        """
        "msg":"server disconnected","id":"demo","reason":"the host is closing"
        """

      Examples:
        | signal  |
        | SIGTERM |
        | SIGINT  |

  @LIFE-1 @LIFE-3
  Rule: What other programs change in the settings is taken over while it runs

    Scenario: A server is added, disabled and removed on the command line
      Given the user serves with `mcp-replay serve`
      And a client sends POST /api/mcp/servers/demo/connect
      And a client listens to the events
      When the user runs `mcp-replay servers add second --name Second -- {mcp-replay} server demo`
      Then the client has got the events:
        """
        mcp.connected {"id":"second","name":"Second","tools":13,"protocolVersion":"2025-06-18","server":{"name":"mcp-replay-demo","version":"1.0.0","title":"Demo notebook"}}
        """
      When the user runs `mcp-replay servers disable second`
      Then the client has got the events:
        """
        mcp.connected {"id":"second","name":"Second","tools":13,"protocolVersion":"2025-06-18","server":{"name":"mcp-replay-demo","version":"1.0.0","title":"Demo notebook"}}
        mcp.disconnected {"id":"second","name":"Second","reason":"the server is disabled"}
        """
      When the user runs `mcp-replay servers remove demo`
      Then the client has got the events:
        """
        mcp.connected {"id":"second","name":"Second","tools":13,"protocolVersion":"2025-06-18","server":{"name":"mcp-replay-demo","version":"1.0.0","title":"Demo notebook"}}
        mcp.disconnected {"id":"second","name":"Second","reason":"the server is disabled"}
        mcp.disconnected {"id":"demo","name":"demo","reason":"the server was removed from the settings"}
        """
      When a client sends GET /api/mcp/servers/demo
      Then the host answers 404

    Scenario: The file cannot be read any more
      Given the user serves with `mcp-replay serve`
      When a file ".imurun/settings.json" with:
        """
        {"mcp": {"servers": [}}
        """
      Then the log contains:
        """
        settings.json:1:22: invalid character '}'
        """
      When a client sends GET /api/mcp/servers/demo
      Then the host answers 200

  @API-7
  Rule: The log names each request, without its query and without a secret

    Scenario: A request
      Given the user serves with `mcp-replay serve`
      When a client sends GET /api/mcp/servers?token={token}
      Then the host answers 200
      And the log contains:
        """
        "msg":"request","method":"GET","path":"/api/mcp/servers","status":200
        """
      And the log does not contain "{token}"
      And the log is JSON, line by line

  @REP-1
  Rule: --record writes the cassette of each session into a folder

    Scenario: Two sessions with one server
      Given the user serves with `mcp-replay serve --record sessions --policy allow-reads`
      And a client sends POST /api/mcp/servers/demo/connect
      When a client sends POST /api/mcp/tools/mcp_demo_list_notes/call
      Then the host answers 200
      And the host's answer has "/text" equal to "Groceries\nBirthdays"
      When a client sends POST /api/mcp/servers/demo/disconnect
      And a client sends POST /api/mcp/servers/demo/connect
      And the user stops it by SIGTERM
      Then the served command ends with exit code 0 within 4 s
      When the user runs `mcp-replay call list_notes --yes -- {mcp-replay} play sessions/demo.jsonl`
      Then stdout is:
        """
        Groceries
        Birthdays
        """
      And the file "sessions/demo.2.jsonl" contains:
        """
        "cassette":1
        """

    Scenario: A server that cannot be started leaves no file
      Given the settings have the servers:
        """
        {"id": "none", "command": "/no/such/program", "enabled": false}, {"id": "off", "command": "x", "enabled": false}
        """
      And the user serves with `mcp-replay serve --record sessions`
      And a client sends POST /api/mcp/servers with:
        """
        {"id": "none", "enabled": true}
        """
      When a client sends POST /api/mcp/servers/none/connect
      Then the host answers 502
      And there is no file "sessions/none.jsonl"

  Rule: What cannot be served is said, with exit code 2

    Scenario Outline: <arguments>
      When the user runs `mcp-replay serve <arguments>`
      Then the exit code is 2
      And stderr contains:
        """
        <error>
        """

      Examples:
        | arguments                | error                                            |
        | --listen nowhere         | --listen nowhere: address nowhere: missing port in address |
        | --approval-timeout 0     | --approval-timeout 0: out of range               |
        | --policy none            | --policy "none": must be ask, allow-reads or allow-all |
        | --network maybe          | --network "maybe": must be on or off             |
        | more                     | unexpected argument "more"                       |

    @API-6
    Scenario: A token that others can read
      Given a file ".imurun/api-token" with:
        """
        abcdefghijklmnopqrstuvwxyz
        """
      And ".imurun/api-token" is given the mode 644
      When the user runs `mcp-replay serve`
      Then the exit code is 2
      And stderr contains "others can read it (mode 0644): chmod 600, or remove it, and a new one is made"
