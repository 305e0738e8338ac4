Feature: The end of the servers

  @LIFE-5 @LIFE-6
  Rule: All servers are closed when the host exits: stdin closed, 2 s of grace, then the whole process tree is killed

    Scenario: A server that ends by itself
      Given a server with the defaults of a fake
      And the settings have the fake server as "a"
      When the host connects "a"
      And the host closes
      Then the server's processes have ended
      And the events are:
        """
        mcp.connected {"id":"a","name":"a","tools":1,"protocolVersion":"2025-06-18","server":{"name":"fake","version":"1.0.0"}}
        mcp.disconnected {"id":"a","name":"a","reason":"the host is closing"}
        """

    Scenario: A server that does not, and its child
      Given a server that writes:
        """
        @@STUBBORN@@
        @@CHILD {dir}/child.pid@@
        @@ANSWER initialize@@
        @@ANSWER tools/list@@
        """
      And the settings have the fake server as "a"
      When the host connects "a"
      And the host closes
      Then the server's processes have ended
      And the process in the file "child.pid" has ended

    Scenario: Calls under way fail
      Given the settings have the servers:
        """
        {"id": "a", "command": "x", "auto_approve": ["echo"]}
        """
      And the server "a" offers the tools:
        """
        echo
        """
      When the host connects "a"
      And the host closes
      And the host calls "mcp_a_echo"
      Then the call fails with:
        """
        the tool "mcp_a_echo" is unavailable: the host is closing
        """

  @LIFE-7
  Rule: No child, and no child of a child, outlives the host, by whatever it ends

    Scenario Outline: serve is ended by <signal>, and its server will not end
      Given a server that writes:
        """
        @@STUBBORN@@
        @@ANSWER initialize@@
        @@ANSWER tools/list@@
        @@CHILD {dir}/child.pid@@
        """
      And the settings have the fake server as "a"
      When the program `{mcp-replay} serve --home .imurun --listen 127.0.0.1:0` is ended by <signal> once there is a file "child.pid"
      Then the process in the file "child.pid" has ended
      And the server's processes have ended

      Examples:
        | signal  |
        | SIGINT  |
        | SIGTERM |
        | SIGKILL |

    Scenario: The host is killed outright, and a child of the server has left its session
      Given a file "server.sh" with:
        """
        setsid sh -c 'sleep 60 & echo $! > child.pid'
        cat
        """
      And the settings have the servers:
        """
        {"id": "a", "command": "sh", "args": ["server.sh"]}
        """
      When the program `{mcp-replay} serve --home .imurun --listen 127.0.0.1:0` is ended by SIGKILL once there is a file "child.pid"
      Then the process in the file "child.pid" has ended
