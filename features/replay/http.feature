Feature: A cassette served over HTTP

  @REP-7
  Rule: What was recorded over one transport is played over the other

    Scenario: From stdio, to two hosts that use the same ids, each at its own place
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize"}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","_meta":{"progressToken":1}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        < {"jsonrpc":"2.0","id":2,"result":"old"}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}
        < {"jsonrpc":"2.0","id":3,"result":"new"}
        """
      And the cassette "s.jsonl" is served over HTTP
      When host A posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        """
      And host A posts:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","_meta":{"progressToken":"p"}}}
        """
      Then host A has 200 with:
        """
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
        {"jsonrpc":"2.0","id":2,"result":"old"}
        """
      When host B posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        """
      Then hosts A and B are in different sessions
      When host A posts:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get"}}
        """
      Then host A has 200 with:
        """
        {"jsonrpc":"2.0","id":2,"result":"new"}
        """
      When host B posts:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get"}}
        """
      Then host B has 200 with:
        """
        {"jsonrpc":"2.0","id":2,"result":"old"}
        """
      When host B sends DELETE
      Then host B has 204
      When host B posts:
        """
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}
        """
      Then host B has 404 with:
        """
        {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"session not found"}}
        """
      When host A posts:
        """
        {"jsonrpc":"2.0","id":3,"method":"ping"}
        """
      Then host A has 200 with:
        """
        {"jsonrpc":"2.0","id":3,"result":{}}
        """

    Scenario: From HTTP, on stdio: a status becomes an error, and the stream's messages come in their order
      Given a cassette "s.jsonl" from HTTP with:
        """
        1 > POST {"jsonrpc":"2.0","id":1,"method":"initialize"}
        1 < 200 application/json
        1 < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
        1 < end
        2 > POST {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"long"}}
        2 < 200 text/event-stream
        2 < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"first"}}
        2 < {"jsonrpc":"2.0","id":2,"result":"then"}
        2 < end
        3 > POST {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"busy"}}
        3 < 503 text/plain
        3 < "try later"
        3 < end
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        {"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"long"}}
        {"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"busy"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"first"}}
        {"jsonrpc":"2.0","id":"l","result":"then"}
        {"jsonrpc":"2.0","id":"b","error":{"code":-32000,"message":"HTTP 503 Service Unavailable: try later","data":{"status":503}}}
        """

    Scenario: From HTTP, to HTTP: status, body and a broken connection come back
      Given a cassette "s.jsonl" from HTTP with:
        """
        1 > POST {"jsonrpc":"2.0","id":1,"method":"initialize"}
        1 < 200 application/json
        1 < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
        1 < end
        2 > POST {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}
        2 < 503 text/plain
        2 < "try later"
        2 < end
        3 > POST {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"broken"}}
        3 < reset
        """
      And the cassette "s.jsonl" is served over HTTP
      When host A posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        """
      And host A posts:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}
        """
      Then host A has 503 with:
        """
        try later
        """
      When host A posts:
        """
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"broken"}}
        """
      Then host A's connection breaks

  @REP-7
  Rule: The player keeps to the rules of Streamable HTTP

    Background:
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize"}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
        """
      And the cassette "s.jsonl" is served over HTTP
      When host A posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        """

    Scenario: There is no stream where there is nothing to push
      When host A sends GET
      Then host A has 405 with:
        """
        this method has nothing to do here
        """
      And host A has the header "Allow" equal to "POST, DELETE"

    Scenario: A notification has no answer
      When host A posts:
        """
        {"jsonrpc":"2.0","method":"notifications/initialized"}
        """
      Then host A has 202

    Scenario: An unknown protocol version is refused, a missing one is not
      When host A posts with the header "Mcp-Protocol-Version: 1.0":
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then host A has 400 with:
        """
        {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"unsupported protocol version \"1.0\": supported are 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28"}}
        """
      When host A posts:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then host A has 200 with:
        """
        {"jsonrpc":"2.0","id":1,"result":{}}
        """

    Scenario: A page of another origin is refused
      When host A posts with the header "Origin: https://evil.example":
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then host A has 403 with:
        """
        the request does not come from this machine
        """
