Feature: Secrets in what is said about a server

  @CFG-16
  Rule: Filled-in placeholders and stored secrets are never shown, whatever the server does with them

    Scenario: A server writes them to stderr and exits
      Given a server that writes:
        """
        @@STDERR started with fx-s3cret-0001, fx-s3cret-0002 and ZngtczNjcmV0LTAwMDE=@@
        @@EXIT 3@@
        """
      And the settings have the fake server as "a"
      And the host's environment has FX_SECRET set to "fx-s3cret-0001"
      And a person saves the server:
        """
        {"id": "a", "env": {"ONE": "${env:FX_SECRET}", "TWO": "fx-s3cret-0002"}}
        """
      When the host connects "a"
      Then connecting fails with "server a: the server exited with code 3; its stderr ends: started with ********, ******** and ********"
      And "a" is failed, for "the server exited with code 3; its stderr ends: started with ********, ******** and ********"

    Scenario: An address and headers that are secret, and a server that is not there
      Given the settings have the servers:
        """
        {"id": "b", "url": "http://u:${env:FX_SECRET}@127.0.0.1:1/mcp?key=${env:FX_SECRET}", "headers": {"X-Any": "${env:FX_SECRET}"}}
        """
      And the host's environment has FX_SECRET set to "fx-s3cret-0001"
      When the host connects "b"
      Then connecting fails with a reason that contains "127.0.0.1:1"
      And the host says "fx-s3cret-0001" nowhere
