Feature: A server that wants credentials

  @LIFE-2
  Rule: A server that answers 401 is asked once for each call, and shown as one that needs credentials

    Scenario: The token is wrong
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 401 text/plain
          WWW-Authenticate: Bearer error="invalid_token"
          no
        """
      And the settings have the servers:
        """
        {"id": "a", "url": "{url}", "headers": {"Authorization": "Bearer hunter2hunter2"}}
        """
      When the host connects "a"
      Then connecting fails with a reason that contains "401"
      And "a" needs credentials
      And the host says "hunter2hunter2" nowhere
      And the server has had 1 "POST initialize" request
      When the host calls "mcp_a_echo"
      Then the call fails with a text that contains "401"
      And the server has had 2 "POST initialize" requests
