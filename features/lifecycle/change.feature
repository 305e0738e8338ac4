Feature: Servers that are saved, disabled and removed while the host runs

  Background:
    Given the settings have the servers:
      """
      {"id": "time", "command": "x", "auto_approve": ["convert_time"]}, {"id": "notes", "command": "x"}
      """
    And the server "time" is played from "cassettes/servers/pypi/time.jsonl"
    And the server "notes" is played from "cassettes/servers/npm/memory.jsonl"
    And the host is up

  @LIFE-3
  Rule: Saving a server disconnects it and discovers it anew

    Scenario: Its timeout is changed
      Then "time" is connected
      And "notes" is connected
      When a person saves the server:
        """
        {"id": "time", "timeout": 5}
        """
      Then "time" is connected
      And "time" has been connected 2 times
      And "notes" has been connected 1 time
      And the host offers 11 tools

    Scenario: Its tools have changed meanwhile
      Given the server "a" offers the tools:
        """
        echo
        """
      And a person saves the server:
        """
        {"id": "a", "command": "x"}
        """
      Then the host's tool "mcp_a_echo" has "/server" equal to "a"
      When the server "a" offers the tools:
        """
        echo
        new
        """
      And a person saves the server:
        """
        {"id": "a", "name": "A"}
        """
      Then the host's tool "mcp_a_new" has "/description" equal to "[MCP A] "

  @LIFE-4
  Rule: The tools of a disabled or removed server are retired

    Scenario: Disabled, and enabled again with the same names
      Then the host offers 11 tools
      When a person saves the server:
        """
        {"id": "notes", "enabled": false}
        """
      Then "notes" is disabled
      And the host offers the tools:
        | mcp_time_get_current_time |
        | mcp_time_convert_time     |
      When the host calls "mcp_notes_read_graph"
      Then the call fails with:
        """
        the tool "mcp_notes_read_graph" is unavailable: the server is disabled
        """
      When the host connects "notes"
      Then connecting fails with "the server is disabled"
      When a person saves the server:
        """
        {"id": "notes", "enabled": true}
        """
      Then the host offers 11 tools
      And the host's tool "mcp_notes_read_graph" has "/tool" equal to "read_graph"

    Scenario: Removed
      Then the host offers 11 tools
      When a person removes the server "notes"
      Then the host offers 2 tools
      When the host calls "mcp_notes_read_graph"
      Then the call fails with:
        """
        the tool "mcp_notes_read_graph" is unavailable: its server was removed
        """
      When the host calls "mcp_time_convert_time" with:
        | source_timezone | Asia/Tokyo   |
        | time            | 12:00        |
        | target_timezone | Asia/Kolkata |
      Then the call succeeds

    Scenario: No connection of a disabled server stands
      Given the server "a" offers the tools:
        """
        echo
        """
      And a person saves the server:
        """
        {"id": "a", "command": "x"}
        """
      Then "a" is connected
      When a person saves the server:
        """
        {"id": "a", "enabled": false}
        """
      Then no connection to "a" stands

    Scenario: A person disconnects a server
      Then "notes" is connected
      When a person disconnects "notes"
      Then "notes" is disconnected, for "disconnected by the user"
