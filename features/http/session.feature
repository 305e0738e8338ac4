Feature: A session from its handshake to DELETE

  @HTTP-3
  Rule: The session id is kept from initialize and sent afterwards, with the version agreed on

    Scenario: Not with initialize, but with everything after it
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-1
          {"jsonrpc":"2.0","id":@@ID@@,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call succeeds
      And the request "GET" has the header "Mcp-Session-Id" equal to "s-1"
      And the request "GET" has the header "MCP-Protocol-Version" equal to "2025-03-26"
      When the host closes the session
      Then the request "POST initialize" has no header "Mcp-Session-Id"
      And the request "POST initialize" has no header "MCP-Protocol-Version"
      And the request "POST notifications/initialized" has the header "Mcp-Session-Id" equal to "s-1"
      And the request "POST notifications/initialized" has the header "MCP-Protocol-Version" equal to "2025-03-26"
      And the request "POST tools/call" has the header "Mcp-Session-Id" equal to "s-1"
      And the request "POST tools/call" has the header "MCP-Protocol-Version" equal to "2025-03-26"
      And the request "DELETE" has the header "Mcp-Session-Id" equal to "s-1"
      And the request "DELETE" has the header "MCP-Protocol-Version" equal to "2025-03-26"

    Scenario: A server without sessions
      Given an HTTP server that answers:
        """
        """
      And the server is started
      When the host pings the server
      Then the request "POST ping" has no header "Mcp-Session-Id"
      And the request "POST ping" has the header "MCP-Protocol-Version" equal to "2025-06-18"

    Scenario: The handshake is answered by a stream
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 text/event-stream
          Mcp-Session-Id: s-2
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fake","version":"1"}}}

        """
      And the server is started
      When the host pings the server
      Then the request "POST ping" has the header "Mcp-Session-Id" equal to "s-2"

  @HTTP-4
  Rule: DELETE on close, when there is a session id, within 2 s; whatever it answers is no error

    Scenario Outline: DELETE is answered with <status>
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-1
          @@ANSWER@@
        DELETE -> <status>
        """
      And the server is started
      When the host closes the session
      Then the server has had 1 "DELETE" request

      Examples:
        | status |
        | 200    |
        | 404    |
        | 405    |
        | 500    |
        | reset  |

    Scenario: Without a session there is nothing to delete
      Given an HTTP server that answers:
        """
        """
      And the server is started
      When the host closes the session
      Then the server has had 0 "DELETE" requests

    Scenario: A server that does not answer DELETE is waited for no longer than 2 s
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-1
          @@ANSWER@@
        DELETE -> 200
          @@HANG@@
        """
      And the server is started
      When the host closes the session within 3 s
      Then the server has had 1 "DELETE" request

  @HTTP-5
  Rule: 404 with a session id means that the session ended: one new initialize, then the call again, once

    Scenario: The call is sent again in a new session
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-1
          @@ANSWER@@
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-2
          @@ANSWER@@
        POST tools/call -> 404 text/plain
          no such session
        POST tools/call -> 200 application/json
          @@ANSWER@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the request "POST initialize#2" has no header "Mcp-Session-Id"
      And the request "POST initialize#2" has no header "MCP-Protocol-Version"
      And the request "POST tools/call" has the header "Mcp-Session-Id" equal to "s-1"
      And the request "POST tools/call#2" has the header "Mcp-Session-Id" equal to "s-2"
      And the server has had 2 "POST initialize" requests
      And the server has had 2 "POST notifications/initialized" requests

    Scenario: Calls at once share the new session
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-1
          @@ANSWER@@
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-2
          @@SLEEP 200 ms@@
          @@ANSWER@@
        POST tools/call @s-1 -> 404
        """
      And the server is started
      When the host makes these calls at once:
        | echo | {"n":1} |
        | echo | {"n":2} |
        | echo | {"n":3} |
        | echo | {"n":4} |
        | echo | {"n":5} |
      Then the results are:
        | ok |
        | ok |
        | ok |
        | ok |
        | ok |
      And the server has had 2 "POST initialize" requests

    Scenario: A second 404 is the call's failure
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: s-1
          @@ANSWER@@
        POST tools/call -> 404
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with a text that contains "the session has ended"
      And the server has had 2 "POST tools/call" requests

    Scenario: 404 without a session is a wrong address
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 404 text/plain
          nothing here
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: HTTP 404 Not Found: nothing here; is {url} the server's address?"
      And the server has had 1 "POST initialize" request
