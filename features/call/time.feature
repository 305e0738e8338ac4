Feature: A call that takes too long, or that nobody wants any more

  @CALL-10
  Rule: After the timeout the call fails, says so, and the server is told

    Scenario Outline: The server answers nothing, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  nothing
        tools/call  {"content":[{"type":"text","text":"second"}]}
        """
      And a call may take 200 ms
      And the server is started
      When the host calls the tool "slow"
      Then the call fails with "tools/call: timeout: no answer within 200ms"
      And the call takes more than 190 ms
      And the call takes less than 5 s
      And the server receives "notifications/cancelled" with "/params/requestId" equal to 2
      When the host calls the tool "slow"
      Then the result is "second"

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

    Scenario Outline: initialize is never cancelled, on <transport>
      Given a server on <transport> that answers:
        """
        initialize  nothing
        """
      And the start may take 200 ms
      When the host starts the server
      Then the start fails with "initialize: timeout: no answer within 200ms"
      And the server has received 0 "notifications/cancelled" messages

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

    Scenario: An answer that comes too late is nobody else's
      Given a server that answers:
        """
        tools/call  after 300 ms {"content":[{"type":"text","text":"late"}]}
        tools/call  after 900 ms {"content":[{"type":"text","text":"second"}]}
        """
      And a call may take 200 ms
      And the server is started
      When the host calls the tool "slow"
      Then the call fails with "tools/call: timeout: no answer within 200ms"
      When the host calls the tool "slow"
      Then the call fails with "tools/call: timeout: no answer within 200ms"
      And the session stands

    Scenario: Progress does not put the end off
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@@TOKEN:tools/call@@,"progress":1}}
        @@SLEEP 150 ms@@
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@@TOKEN:tools/call@@,"progress":2}}
        @@SLEEP 5 s@@
        @@ANSWER tools/call@@
        """
      And a call may take 300 ms
      And the server is started
      When the host calls the tool "slow", asking for progress
      Then the call fails with "tools/call: timeout: no answer within 300ms"
      And the server reports progress 2 times
      And the server receives "notifications/cancelled" with "/params/requestId" equal to 2

    Scenario: Progress does not put the end off over HTTP, either
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@@TOKEN@@,"progress":1}}

          @@SLEEP 150 ms@@
          data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@@TOKEN@@,"progress":2}}

          @@HANG@@
        """
      And a call may take 300 ms
      And the server is started
      When the host calls the tool "slow", asking for progress
      Then the call fails with "tools/call: timeout: no answer within 300ms"
      And the server reports progress 2 times
      And the server receives "notifications/cancelled" with "/params/requestId" equal to 2

  @CALL-11
  Rule: When the host gives a call up, the server is told too

    Scenario Outline: The host gives up, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  nothing
        """
      And the server is started
      When the host calls the tool "slow" and gives up after 100 ms
      Then the call fails with "tools/call: given up: context canceled"
      And the call takes less than 5 s
      And the server receives "notifications/cancelled" with "/params/requestId" equal to 2

      Examples:
        | transport |
        | stdio     |
        | HTTP      |
