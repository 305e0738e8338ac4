Feature: A connection that breaks off

  Background:
    Given the settings have the servers:
      """
      {"id": "a", "command": "x", "auto_approve": ["echo", "slow"]}
      """
    And the server "a" offers the tools:
      """
      echo
      slow
      """

  @LIFE-2
  Rule: A dropped connection is made again by the next tool call, and by nothing else

    Scenario: The next call
      When the host connects "a"
      And the server "a" breaks off
      Then "a" has been connected 1 time
      When the host calls "mcp_a_echo"
      Then the call succeeds
      And "a" is connected
      And "a" has been connected 2 times

    Scenario: A failed attempt is repeated by a call alone
      Given the server "a" cannot be reached, for "connection refused"
      When the host connects "a"
      Then connecting fails with "server a: connection refused"
      And "a" has been connected 1 time
      When the host calls "mcp_a_echo"
      Then the call fails with "server a: connection refused"
      And "a" has been connected 2 times

  @LIFE-2
  Rule: Calls that arrive together share one attempt

    Scenario: On a server that has never been connected
      When the host makes 20 calls of "mcp_a_echo" at once
      Then all 20 calls succeed
      And "a" has been connected 1 time

    Scenario: After a break
      When the host connects "a"
      And the server "a" breaks off
      And the host makes 20 calls of "mcp_a_echo" at once
      Then all 20 calls succeed
      And "a" has been connected 2 times
      And one connection to "a" stands

  @LIFE-2
  Rule: A call whose request may have reached the server is never sent a second time

    Scenario: The connection breaks while calls are under way
      Given the server "a" does not answer calls
      When the host connects "a"
      And the server "a" breaks off in 100 ms
      And the host makes 3 calls of "mcp_a_slow" at once
      Then all 3 calls fail with a text that contains "outcome unknown"
      And "a" has got the calls:
        | "slow"{} |
        | "slow"{} |
        | "slow"{} |

  @LIFE-8
  Rule: A reconnect lists again; a tool that is still there keeps its name

    Scenario: Other tools after a break
      Given the settings have the servers:
        """
        {"id": "a", "command": "x", "auto_approve": ["x_y"]}
        """
      And the server "a" offers the tools:
        """
        x.y
        x_y
        """
      When the host connects "a"
      Then the host offers the tools:
        | mcp_a_x_y   | a | x.y |
        | mcp_a_x_y_2 | a | x_y |
      When the server "a" breaks off
      And the server "a" changes its tools to:
        """
        new
        x_y
        """
      And the host calls "mcp_a_x_y_2"
      Then the call succeeds
      And the host offers the tools:
        | mcp_a_new   | a | new |
        | mcp_a_x_y_2 | a | x_y |
      When the host calls "mcp_a_x_y"
      Then the call fails with:
        """
        the tool "mcp_a_x_y" is unavailable: the server does not offer it any more
        """
