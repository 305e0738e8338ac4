Feature: Event streams as WHATWG defines them

  @HTTP-7
  Rule: CR, LF and CRLF, comments, many data lines, any chunk boundary; other events and empty data skipped

    Scenario: All that a stream may hold beside the answer
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          : hello

          retry: 50

          id: 1
          data:

          event: ping
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"wrong"}]}}

          data

          foo: bar

          data: no JSON

          id: 2
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"right"}]}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "right"

    Scenario: An answer over several data lines, with a comment between them
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {
          data:   "jsonrpc": "2.0",
          data:   "id": @@ID@@,
          : note
          data:   "result": {
          data:     "content": [
          data:       {"type": "text", "text": "ok"}
          data:     ]
          data:   }
          data: }

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario Outline: Lines end in <end>, after a byte-order mark
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          @@HEX EFBBBF@@
          @@RAW event: message@@
          @@HEX <hex>@@
          @@RAW data:{"jsonrpc":"2.0","id":2,@@
          @@HEX <hex>@@
          @@RAW data:"result":{"content":[{"type":"text","text":"ok"}]}}@@
          @@HEX <hex> <hex>@@
          @@HANG@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the call takes less than 3 s

      Examples:
        | end  | hex   |
        | LF   | 0A    |
        | CR   | 0D    |
        | CRLF | 0D 0A |

    Scenario: CRLF cut in two by the chunks
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          @@RAW data: {"jsonrpc":"2.0",@@
          @@HEX 0D@@
          @@SLEEP 10 ms@@
          @@HEX 0A@@
          @@RAW data: "id":2,"result":{"content":[{"type":"text","text":"one"}]}}@@
          @@HEX 0D 0A 0D@@
          @@SLEEP 10 ms@@
          @@HEX 0A@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "one"

    Scenario Outline: A character cut in two by the chunks of <type>
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 <type>
          @@RAW <prefix>{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"@@
          @@HEX F09F@@
          @@SLEEP 10 ms@@
          @@HEX 8E89@@
          @@RAW "}]}}@@
          @@HEX 0A 0A@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "🎉"

      Examples:
        | type              | prefix |
        | application/json  |        |
        | text/event-stream | data:  |

    Scenario Outline: An answer of <size> characters
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"ok"}],"padding":"@@X:<size>@@"}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"

      Examples:
        | size     |
        | 65535    |
        | 65536    |
        | 1048577  |
        | 12000000 |

    Scenario: An event over 64 MiB fails its call alone
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"padding":"@@X:67108864@@"}

        POST tools/call -> 200 application/json
          @@ANSWER@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: a message is longer than 67108864 bytes, the most that is taken"
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: A compressed answer that was not asked for in this way
      Given an HTTP server with the exchanges:
        """
        POST ping -> 200 application/json
          Content-Encoding: deflate
          @@HEX 789cab56ca2acecf2b2a4856b25232d23350d251ca4c51b232d2512a4a2d2ecd2951b2aaaead0500ca5a0b34@@
        """
      And the server is started
      When the host pings the server
      And the host calls the tool "echo"
      Then the result is "ok"

    Scenario: An encoding that nobody asked for and nobody can read
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 application/json
          Content-Encoding: br
          @@HEX 0b0280@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: answer from {url}: unsupported encoding br"
