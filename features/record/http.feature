Feature: A recorder between hosts and a server on HTTP

  @REP-3
  Rule: Bodies, status, and header values pass as they are

    Scenario: Answers of every kind
      Given an HTTP server with the exchanges:
        """
        POST ping -> 200 application/json; charset=utf-8
          X-Twice: one
          {"jsonrpc":"2.0", "id":@@ID@@,"result":{"n":1.0} }
        POST tools/call -> 200 text/event-stream
          : a comment

          id: 1
          event: message
          data: {"jsonrpc":"2.0",
          data: "method":"notifications/a"}

          @@SLEEP 20 ms@@
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{}}

        POST tools/list -> 500 text/plain
          out of paper
        POST resources/list -> 200 text/event-stream
          data: {"jsonrpc":"2.0","method":"notifications/a"}

          @@RESET@@
        POST prompts/list -> 204
        """
      When the host posts through a recorder to "h.jsonl":
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        {"jsonrpc":"2.0","id":2,"method":"tools/call"}
        {"jsonrpc":"2.0","id":3,"method":"tools/list"}
        {"jsonrpc":"2.0","id":4,"method":"resources/list"}
        {"jsonrpc":"2.0","id":5,"method":"prompts/list"}
        {"jsonrpc":"2.0","method":"notifications/initialized"}
        """
      Then the host sees what it sees without the recorder
      And the file "h.jsonl" contains:
        """
        "sse":{"event":"message","id":"1"},"text":"{\"jsonrpc\":\"2.0\",\n\"method\":\"notifications/a\"}"}
        """
      And the file "h.jsonl" contains:
        """
        "exchange":4,"end":"reset"}
        """

    Scenario: Sessions have numbers, and their ids stay out of the file
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Mcp-Session-Id: session-id-0001
          @@ANSWER@@
        """
      And the session is recorded to "h.jsonl"
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      When the host closes the session
      Then the file "h.jsonl" contains:
        """
        "from":"client","session":1,"exchange":
        """
      And the file "h.jsonl" contains:
        """
        "http":{"method":"DELETE","path":"/mcp"
        """
      And the file "h.jsonl" does not contain "session-id-0001"

  @REP-4
  Rule: Headers and addresses keep their secrets

    Scenario: An authorization, a cookie and a query
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 200 application/json
          Set-Cookie: sid=fx-s3cret-0002; Path=/
          @@ANSWER@@
        POST tools/call -> 200 application/json
          {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"you sent fx-s3cret-0001"}]}}
        """
      And the host has the headers:
        | Authorization | Bearer fx-s3cret-0001 |
      And the session is recorded to "h.jsonl"
      And the server is started
      When the host calls the tool "echo"
      Then the result is "you sent fx-s3cret-0001"
      And the file "h.jsonl" does not contain "s3cret"
      And the file "h.jsonl" contains:
        """
        "Authorization":["Bearer [redacted:authorization:
        """
      And the file "h.jsonl" contains:
        """
        "Set-Cookie":["sid=[redacted:set-cookie:
        """
