Feature: A request that fails, fails alone

  @HTTP-5
  Rule: 202 with no body is right for notifications and answers; a failure of one request fails that call only

    Scenario: The server takes notifications and answers with 202
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}

          @@SLEEP 100 ms@@
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"hi"}]}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "hi"
      And the server receives:
        """
        {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found: roots/list"}}
        """

    Scenario Outline: <fault>
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 application/json
          @@ANSWER@@
        POST tools/call -> <answer>
        POST tools/call -> 200 application/json
          @@ANSWER@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      When the host calls the tool "echo"
      Then the call fails with "tools/call: <reason>"
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server has had 3 "POST tools/call" requests
      And the server has had 1 "POST initialize" request

      Examples:
        | fault               | answer | reason                                                                         |
        | Internal error      | 500    | HTTP 500 Internal Server Error                                                 |
        | Bad gateway         | 502    | HTTP 502 Bad Gateway                                                           |
        | Overload            | 503    | HTTP 503 Service Unavailable                                                   |
        | Too many requests   | 429    | HTTP 429 Too Many Requests                                                     |
        | A broken connection | reset  | outcome unknown: POST {url}: EOF                                               |

    Scenario: A call that takes too long
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 application/json
          @@HANG@@
        POST tools/call -> 200 application/json
          @@ANSWER@@
        """
      And a call may take 300 ms
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: timeout: no answer within 300ms"
      And the server receives "notifications/cancelled" with "/params/requestId" equal to 2
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: An answer that breaks off
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 application/json
          @@RAW {"jsonrpc":"2.0",@@
          @@RESET@@
        POST tools/call -> 200 application/json
          @@ANSWER@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: outcome unknown: unexpected EOF"
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: The server says when to come again
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 429 text/plain
          Retry-After: 120
          slow down
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: HTTP 429 Too Many Requests: slow down (Retry-After: 120)"
      And the server has had 1 "POST tools/call" request

  @HTTP-6
  Rule: 401 and 403 give the challenge and advice; other statuses the first 500 characters of the body

    Scenario Outline: The server answers <status>
      Given an HTTP server with the exchanges:
        """
        POST initialize -> <status> text/plain
          WWW-Authenticate: Bearer realm="notes", error="invalid_token"
          you are not welcome with one-two-three
        """
      And the host has the headers:
        | Authorization | Bearer one-two-three |
      When the host starts the server
      Then the start fails with:
        """
        initialize: HTTP <text>: WWW-Authenticate: Bearer realm="notes", error="invalid_token": you are not welcome with ********; set a header such as Authorization through ${env:NAME} to a credential that the server takes
        """
      And the server has had 1 "POST initialize" request

      Examples:
        | status | text             |
        | 401    | 401 Unauthorized |
        | 403    | 403 Forbidden    |

    Scenario: A long body is cut after 500 characters
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 500 text/plain
          é@@X:600@@
        """
      When the host starts the server
      Then the start fails with "initialize: HTTP 500 Internal Server Error: é" and 499 times "x"
