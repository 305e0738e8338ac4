Feature: Servers at the start of the host

  @LIFE-1
  Rule: Enabled servers connect in the background at start; one slow server holds up no other

    Scenario: Three recorded servers and one that hangs
      Given the server "git" is played from "cassettes/servers/pypi/git.jsonl"
      And the server "slow" hangs when it is connected
      And the server "memory" is played from "cassettes/servers/npm/memory.jsonl"
      And the server "time" is played from "cassettes/servers/pypi/time.jsonl"
      When the host is up
      Then "git" is connected
      And "memory" is connected
      And "time" is connected
      And "slow" is connecting
      And the host offers 23 tools

    Scenario: What a listener hears
      Given the server "time" is played from "cassettes/servers/pypi/time.jsonl"
      When the host connects "time"
      Then the events are:
        """
        mcp.connected {"id":"time","name":"time","tools":2,"protocolVersion":"2025-06-18","server":{"name":"mcp-time","version":"2026.10.19"}}
        """

    Scenario: A server that cannot be reached
      Given the server "a" cannot be reached, for "connection refused"
      When the host is up
      Then "a" is failed, for "connection refused"
      And the events are:
        """
        mcp.error {"id":"a","name":"a","error":"connection refused"}
        """

  @LIFE-4
  Rule: The tools of a disabled server are not offered, and calling one says that it is unavailable

    Scenario: Disabled since before the host began
      Given the settings have the servers:
        """
        {"id": "off", "command": "x", "enabled": false}
        """
      When the host is up
      Then "off" is disabled
      When the host calls "mcp_off_echo"
      Then the call fails with:
        """
        the tool "mcp_off_echo" is unavailable: the server is disabled
        """
