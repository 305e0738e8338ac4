Feature: A stream that ends before the response

  @HTTP-8
  Rule: It is resumed by GET with Last-Event-ID where the server gave ids, within the call's timeout; else the call fails and says so

    Scenario: A priming event, and the answer on the next connection
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          id: s1-0
          retry: 200
          data:

        GET -> 405
        GET -> 200 text/event-stream
          id: s1-1
          data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"resumed"}]}}

        """
      And the server is started
      And the server has had 1 "GET" request
      When the host calls the tool "echo"
      Then the result is "resumed"
      And the call takes more than 190 ms
      And the request "GET#2" has the header "Last-Event-ID" equal to "s1-0"
      And the request "GET#2" has the header "Accept" equal to "text/event-stream"
      And the server has had 2 "GET" requests
      And the server has had 1 "POST tools/call" request

    Scenario: A connection that breaks in the middle of an event, twice
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          id: a
          retry: 10

          id: b
          @@RAW data: {"jsonrpc":@@
          @@RESET@@
        GET -> 405
        GET -> 200 text/event-stream
          id: c
          data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}

          @@RESET@@
        GET -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"at last"}]}}

        """
      And the server is started
      And the server has had 1 "GET" request
      When the host calls the tool "echo"
      Then the result is "at last"
      And the call takes less than 900 ms
      And the request "GET#2" has the header "Last-Event-ID" equal to "a"
      And the request "GET#3" has the header "Last-Event-ID" equal to "c"

    Scenario: Without an event id the call fails at once
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}

        POST tools/call -> 200 application/json
          @@ANSWER@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: outcome unknown: the stream ended without an answer, and without an event id it cannot be resumed"
      And the call takes less than 3 s
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: A connection that breaks off without an event id
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          @@RAW data: {"jsonrpc":@@
          @@RESET@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: outcome unknown: the stream broke off before the answer: unexpected EOF, and without an event id it cannot be resumed"

    Scenario: The server does not resume its stream
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          id: 1
          retry: 1

        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: outcome unknown: the stream ended without an answer, and the server did not resume it: HTTP 405 Method Not Allowed"

    Scenario: The server wants to be left alone for longer than the call may take
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          id: 1
          retry: 60000

        """
      And a call may take 400 ms
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: timeout: no answer within 400ms"
