Feature: Calls to one server do not wait for each other

  @RPC-8
  Rule: A call does not wait for the one before it

    Scenario Outline: Four calls of 200 ms at once, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  after 200 ms {"content":[{"type":"text","text":"ok"}]}
        """
      And the server is started
      When the host makes these calls at once:
        | echo | {} |
        | echo | {} |
        | echo | {} |
        | echo | {} |
      Then the results are:
        | ok |
        | ok |
        | ok |
        | ok |
      And the call takes more than 190 ms
      And the call takes less than 750 ms

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

  @RPC-9
  Rule: A server that stops reading cannot block the host

    Scenario: A call that cannot be sent fails alone; closing does not wait for it
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:notifications/initialized@@
        @@STALL@@
        @@SLEEP 10 s@@
        """
      And a call may take 300 ms
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with a text that contains "300ms"
      When the host calls the tool "echo" with:
        """
        {"text":"@@REPEAT 2000000 x@@"}
        """
      Then the call fails with a text that contains "300ms"
      And the call takes less than 5 s
      When the host calls the tool "echo"
      Then the call fails
      And the call takes less than 5 s
      When the host closes the session
      Then the server's processes have ended
