Feature: Servers that are saved, disabled and removed while the host runs

  Background:
    Given the settings have the servers:
      """
      {"id": "a", "command": "x", "auto_approve": ["echo"]}, {"id": "b", "command": "x"}
      """
    And the server "a" offers the tools:
      """
      echo
      """
    And the server "b" offers the tools:
      """
      echo
      """
    And the host is up

  @LIFE-3
  Rule: Saving a server disconnects it and discovers it anew

    Scenario: Its timeout is changed, and its tools have changed meanwhile
      Then "a" is connected
      And "b" is connected
      When the server "a" offers the tools:
        """
        echo
        new
        """
      And a person saves the server:
        """
        {"id": "a", "timeout": 5}
        """
      Then the host offers the tools:
        | mcp_a_echo |
        | mcp_a_new  |
        | mcp_b_echo |
      And "a" has been connected 2 times
      And "b" has been connected 1 time

    Scenario: A new server is discovered at once
      When the server "c" offers the tools:
        """
        late
        """
      And a person saves the server:
        """
        {"id": "c", "command": "y"}
        """
      Then "c" is connected
      And the host offers the tools:
        | mcp_a_echo |
        | mcp_b_echo |
        | mcp_c_late |

  @LIFE-4
  Rule: The tools of a disabled or removed server are retired

    Scenario: Disabled
      Then "a" is connected
      When a person saves the server:
        """
        {"id": "a", "enabled": false}
        """
      Then "a" is disabled
      And no connection to "a" stands
      And the host offers the tools:
        | mcp_b_echo |
      When the host calls "mcp_a_echo"
      Then the call fails with:
        """
        the tool "mcp_a_echo" is unavailable: the server is disabled
        """
      When the host connects "a"
      Then connecting fails with "the server is disabled"

    Scenario: Enabled again, with its name
      Then "a" is connected
      When a person saves the server:
        """
        {"id": "a", "enabled": false}
        """
      And a person saves the server:
        """
        {"id": "a", "enabled": true}
        """
      Then the host offers the tools:
        | mcp_a_echo |
        | mcp_b_echo |

    Scenario: Removed
      Then "a" is connected
      When a person removes the server "a"
      Then no connection to "a" stands
      And the host offers the tools:
        | mcp_b_echo |
      When the host calls "mcp_a_echo"
      Then the call fails with:
        """
        the tool "mcp_a_echo" is unavailable: its server was removed
        """

    Scenario: What a listener hears
      Then "a" is connected
      And "b" is connected
      When a person disconnects "b"
      Then "b" is disconnected, for "disconnected by the user"
