Feature: The stream for the server's own messages

  @HTTP-11
  Rule: After notifications/initialized a GET stream is opened, delaying nothing

    Scenario: The server speaks by itself
      Given an HTTP server with the exchanges:
        """
        GET -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":"s1","method":"ping"}

          data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}

          @@HANG@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server notifies the host of "notifications/tools/list_changed"
      And the server receives:
        """
        {"jsonrpc":"2.0","id":"s1","result":{}}
        """
      And the request "GET" has the header "Accept" equal to "text/event-stream"
      And the request "GET" has no header "Last-Event-ID"

    Scenario: A server that never answers the GET
      Given an HTTP server with the exchanges:
        """
        GET -> 200 text/event-stream
          @@SLEEP 5 s@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the start takes less than 3 s
      And the call takes less than 3 s
      And the request "GET" has the header "Accept" equal to "text/event-stream"
      When the host closes the session within 3 s
      Then the server has had 1 "GET" request

  @HTTP-11
  Rule: Any answer but 200 with an event stream means that there is none: no retry

    Scenario Outline: GET is answered with <status> <type>
      Given an HTTP server with the exchanges:
        """
        GET -> <status> <type>
          {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server has had 1 "GET" request

      Examples:
        | status | type              |
        | 405    |                   |
        | 404    | text/plain        |
        | 406    | application/json  |
        | 400    | application/json  |
        | 401    |                   |
        | 500    | text/html         |
        | 200    | application/json  |
        | 202    | text/event-stream |

  @HTTP-11
  Rule: One that breaks is resumed, by retry and Last-Event-ID, while the session lives

    Scenario: The stream ends, and breaks, and goes on
      Given an HTTP server with the exchanges:
        """
        GET -> 200 text/event-stream
          id: 7
          retry: 50
          data: {"jsonrpc":"2.0","method":"notifications/one"}

        GET -> 200 text/event-stream
          id: 8
          data: {"jsonrpc":"2.0","method":"notifications/two"}

          @@RESET@@
        GET -> 200 text/event-stream
          data: {"jsonrpc":"2.0","method":"notifications/three"}

          @@HANG@@
        """
      When the host starts the server
      Then the server notifies the host of "notifications/one"
      And the server notifies the host of "notifications/two"
      And the server notifies the host of "notifications/three"
      And the request "GET#2" has the header "Last-Event-ID" equal to "7"
      And the request "GET#3" has the header "Last-Event-ID" equal to "8"
      And the server has had 3 "GET" requests
