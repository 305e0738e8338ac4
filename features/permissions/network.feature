Feature: The network toggle

  Background:
    Given the settings have the servers:
      """
      {"id": "web", "url": "https://example.com/mcp", "auto_approve": ["echo"]},
      {"id": "local", "command": "x", "auto_approve": ["echo"]}
      """
    And the server "web" offers the tools:
      """
      echo
      """
    And the server "local" offers the tools:
      """
      echo
      """

  @PERM-8
  Rule: While the network is off, HTTP servers are neither connected nor called, and the result says why

    Scenario: Off from the start
      Given the network is off
      When the host is up
      Then "local" is connected
      And "web" is disconnected, for "the network is switched off, and this server is reached over HTTP"
      And "web" has been connected 0 times
      When the host calls "mcp_web_echo"
      Then the call meets deny, by PERM-8
      And the call fails with:
        """
        mcp_web_echo was not called: the network is switched off, and this server is reached over HTTP (PERM-8)
        """
      When the host connects "web"
      Then connecting fails with "the network is switched off, and this server is reached over HTTP"

    Scenario: Switched off and on again while the host runs
      When the host is up
      Then "web" is connected
      Given the network is off
      Then "web" is disconnected, for "the network is switched off, and this server is reached over HTTP"
      And no connection to "web" stands
      When the host calls "mcp_web_echo"
      Then the call meets deny, by PERM-8
      When the host calls "mcp_local_echo"
      Then the call meets allow, by PERM-2
      Given the network is on
      Then "web" is connected
