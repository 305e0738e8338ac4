Feature: Each message is a POST, answered in JSON or by a stream

  @HTTP-1
  Rule: Each message is POSTed on its own, with Accept and Content-Type

    Scenario Outline: The request <request>
      Given an HTTP server that answers:
        """
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call succeeds
      And the request "<request>" has the header "Accept" equal to "application/json, text/event-stream"
      And the request "<request>" has the header "Content-Type" equal to "application/json"

      Examples:
        | request                        |
        | POST initialize                |
        | POST notifications/initialized |
        | POST tools/call                |

    Scenario: The host's own headers go along, but do not replace the protocol's
      Given an HTTP server that answers:
        """
        """
      And the host has the headers:
        | Authorization  | Bearer one-two-three |
        | X-Team         | red                  |
        | X-Team         | blue                 |
        | Accept         | */*                  |
        | Mcp-Session-Id | made-up              |
      When the host starts the server
      Then the request "POST initialize" has the header "Authorization" equal to "Bearer one-two-three"
      And the request "POST initialize" has the header "X-Team" equal to "red, blue"
      And the request "POST initialize" has the header "Accept" equal to "application/json, text/event-stream"
      And the request "POST initialize" has no header "Mcp-Session-Id"

    Scenario: Every message has its own request
      Given an HTTP server that answers:
        """
        """
      And the server is started
      When the host calls the tool "echo"
      And the host pings the server
      Then the call succeeds
      And the server has had the requests:
        | POST initialize                |
        | POST notifications/initialized |
        | GET                            |
        | POST tools/call                |
        | POST ping                      |

  @HTTP-2
  Rule: An answer is JSON, or a stream read until the matching response

    Scenario Outline: The content type "<type>" with <body>
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 <type>
          @@RAW <body>@@

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "hi"

      Examples:
        | type                               | body                                                                                            |
        | application/json                   | {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}                      |
        | Application/JSON;Charset=UTF-8     | {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}                      |
        | text/plain                         | {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}                      |
        | application/json                   | [{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}] |

    Scenario: A stream without a content type is known by its first bytes
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 application/octet-stream
          : hello

          @@RAW data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}@@
          @@HEX 0A 0A@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "hi"

    Scenario: Messages before the response are handled as they arrive
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":"s1","method":"ping"}

          data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}

          @@SLEEP 300 ms@@
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"late"}]}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "late"
      And the call takes more than 250 ms
      And the server receives:
        """
        {"jsonrpc":"2.0","id":"s1","result":{}}
        """
      And the server notifies the host of "notifications/tools/list_changed"

    Scenario: A stream that stays open after the response holds nothing up
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"hi"}]}}

          @@HANG@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "hi"
      And the call takes less than 3 s
      When the host calls the tool "echo"
      Then the result is "hi"

    Scenario Outline: An answer of <status> <type> that holds no response fails the call
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> <status> <type>
          @@RAW <body>@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with:
        """
        tools/call: <reason>
        """

      Examples:
        | status | type             | body                                     | reason                                                                                                |
        | 202    |                  |                                          | the server answered HTTP 202 Accepted without a response                                              |
        | 200    | application/json |                                          | the server answered HTTP 200 OK without a response                                                    |
        | 200    | application/json | {"jsonrpc":"2.0","id":77,"result":{}}    | the answer holds no response to the request: {"jsonrpc":"2.0","id":77,"result":{}}                    |
        | 200    | application/json | {"error":"busy"}                         | the answer is no JSON-RPC message: {"error":"busy"}                                                   |
        | 200    | text/html        | <!doctype html><title>Login</title>      | got an HTML page from {url}, not a message: <!doctype html><title>Login</title>                       |
        | 200    | text/plain       | hello                                    | answer from {url}: content type "text/plain", neither JSON nor an event stream: hello                 |
