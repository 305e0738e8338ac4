Feature: stdio carries one message a line

  @RPC-2
  Rule: A line that is no message is ignored, counted, and shown once

    Scenario: A banner, JSON that is no message, and a broken line
      Given a server that writes:
        """
        fx server 0.9 starting on 🚀

        []
        42
        "ready"
        @@ANSWER initialize@@
        debug: 3 items loaded
        @@ANSWER tools/list@@
        {not json
        @@ANSWER tools/call@@
        """
      And the server is started
      When the host lists the tools
      And the host calls the tool "echo"
      Then the result is "ok"
      And the status counts 6 lines of noise
      And the status shows the noise "fx server 0.9 starting on 🚀"

    Scenario: Only byte 0A ends a line
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@
        @@RAW {"jsonrpc":"2.0","id":2,"result":{"structuredContent":{"text":"a@@
        @@HEX E280A8 62 E280A9 63 C285 64@@
        "}}}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the structured content is:
        """
        {"text":"a\u2028b\u2029c\u0085d"}
        """

    Scenario: A server with header framing is refused
      Given a server that writes:
        """
        @@HEX 436F6E74656E742D4C656E6774683A203130300D0A0D0A@@
        {"jsonrpc":"2.0","id":1,"result":{}}
        """
      When the host starts the server
      Then the start fails with a reason that contains "Content-Length"
      And the start takes less than 10 s
      And the server's processes have ended

    Scenario: The same words later on are noise
      Given a server that writes:
        """
        starting
        Content-Length: 100

        @@ANSWER initialize@@
        """
      And the server is started
      Then the status counts 2 lines of noise

  @RPC-3
  Rule: A line may be long, and end as it likes

    Scenario Outline: <name>
      Given a server that writes:
        """
        <before>
        @@RAW {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fx","version":"1"}}}@@
        <end>
        @@ANSWER ping@@
        """
      And the server is started
      When the host pings the server
      Then the server is "fx"
      And the status counts 0 lines of noise

      Examples:
        | name              | before              | end          |
        | CRLF              | @@AFTER:initialize@@ | @@HEX 0D0A@@ |
        | A byte-order mark | @@HEX EFBBBF@@      | @@HEX 0A@@   |
        | Blank lines       | @@HEX 0A0D0A200A@@  | @@HEX 0A0A@@ |

    Scenario: The last line has no newline
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@
        @@RAW {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"last words"}]}}@@
        @@EXIT 0@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "last words"

    Scenario Outline: An answer with <bytes> bytes of text
      Given a server that writes:
        """
        @@ANSWER initialize@@
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[],"structuredContent":{"end":1,"x":"@@X:<bytes>@@"}}}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the structured content has "/end" equal to 1

      Examples:
        | bytes    |
        | 65535    |
        | 65536    |
        | 1048577  |
        | 12000000 |

    Scenario: A line over 64 MiB fails the call that it answers
      Given a server that writes:
        """
        @@ANSWER initialize@@
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[],"structuredContent":{"x":"@@X:67108864@@"}}}
        @@ANSWER tools/call#2@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: a message is longer than 67108864 bytes, the most that is taken"
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: A line over 64 MiB that answers nobody ends the connection
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@{"text":"@@X:67108864@@"}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "tools/call: outcome unknown: a message is longer than 67108864 bytes, the most that is taken"
      And the session has ended, for "a message is longer than 67108864 bytes"

  @RPC-4
  Rule: stderr never blocks the child; its last 20 lines are kept for errors

    Scenario: A flood before every answer
      Given a server that writes:
        """
        @@FLOOD 300000@@
        @@ANSWER initialize@@
        @@FLOOD 5000000@@
        @@ANSWER tools/call@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: Thirty lines, of which twenty are shown
      Given a server that writes:
        """
        @@STDERRS 30@@
        @@EXIT 1@@
        """
      When the host starts the server
      Then the start fails with:
        """
        the server exited with code 1; its stderr ends: line 11
        line 12
        line 13
        line 14
        line 15
        line 16
        line 17
        line 18
        line 19
        line 20
        line 21
        line 22
        line 23
        line 24
        line 25
        line 26
        line 27
        line 28
        line 29
        line 30
        """
