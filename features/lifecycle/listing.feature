Feature: Tools that change while the connection stands

  Background:
    Given the server "a" offers the tools:
      """
      echo
      """
    And the host connects "a"

  @LIST-4
  Rule: notifications/tools/list_changed re-lists; a burst makes one listing at a time and never a lost last one

    Scenario: A storm of notices
      When the server "a" says 200 times that its tools have changed
      Then "a" has been listed 3 times
      And the events are:
        """
        mcp.connected {"id":"a","name":"a","tools":1,"protocolVersion":"2025-06-18","server":{"name":"memory","version":"1"}}
        """

    Scenario: New tools are offered, and those that are gone are not
      When the server "a" changes its tools to:
        """
        new
        """
      Then the host offers the tools:
        | mcp_a_new |
      And the events are:
        """
        mcp.connected {"id":"a","name":"a","tools":1,"protocolVersion":"2025-06-18","server":{"name":"memory","version":"1"}}
        mcp.tools {"id":"a","name":"a","tools":1,"added":["new"],"removed":["echo"]}
        """
