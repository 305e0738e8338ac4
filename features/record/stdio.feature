Feature: A recorder between a host and a server on stdio

  @REP-3
  Rule: The bytes, the end of each stream, the exit code or signal, and stderr pass as they are

    Scenario: Odd bytes of the server
      Given a server that writes:
        """
        Server ready ✓

        []
        42
        @@RAW partly @@
        on one line
        @@HEX EFBBBF@@
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":{"n":1.0,"m":1E400, "s":"é \u00e9 \ud800","n":2} }
        @@HEX 7BFF7D0D0A@@
        @@STDERR a warning@@
        @@RAW {"jsonrpc":"2.0","method":"no line end"}@@
        @@EXIT 3@@
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the cassette "s.jsonl" tells 3 messages

    Scenario: Odd bytes of the host
      Given a server that answers:
        """
        ping  {"n":1e2}
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        not JSON
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"method\":\"ping\"}\r\n"
        "\xff\xfe\n"

        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}"
        """
      Then the host sees what it sees without the recorder

    Scenario: A server that dies by a signal
      Given a server that writes:
        """
        @@ANSWER ping@@
        @@SIGNAL@@
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the file "s.jsonl" contains:
        """
        "exit":{"signal":"SIGKILL"}}
        """

    Scenario: A server that floods stderr before it answers
      Given a server that writes:
        """
        @@FLOOD 524288@@
        @@ANSWER ping@@
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder

    Scenario: A line of a megabyte
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":{"text":"@@X:1048576@@"}}
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the cassette "s.jsonl" tells 2 messages

    Scenario Outline: <signal> ends the server and the recorder
      Given a server that answers:
        """
        ping  {}
        """
      When the host ends the recorder to "s.jsonl" by <signal>
      Then the recorder ends by <signal>
      And the file "s.jsonl" contains:
        """
        "exit":{"signal":"<signal>"}}
        """

      Examples:
        | signal  |
        | SIGTERM |
        | SIGINT  |
        | SIGHUP  |

    Scenario: A host calls tools as if nothing stood between
      Given a server that answers:
        """
        tools/call  {"content":[{"type":"text","text":"one"}]}
        tools/call  error {"code":-32602,"message":"no such tool"}
        """
      And the session is recorded to "s.jsonl"
      And the server is started
      When the host calls the tool "echo"
      Then the result is "one"
      When the host calls the tool "echo"
      Then the call fails with "no such tool (code -32602)"

  @REP-1
  Rule: What passed is told in order, byte for byte

    Scenario: A session as the cassette tells it
      Given a server that writes:
        """
        Server ready
        {"jsonrpc":"2.0", "id":@@ID:ping@@,"result":{"n":1.0}}
        @@EXIT 3@@
        """
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1.0,"method":"ping"}
        """
      Then the host sees what it sees without the recorder
      And the file "s.jsonl" contains:
        """
        "from":"client","message":{"jsonrpc":"2.0","id":1.0,"method":"ping"}}
        """
      And the file "s.jsonl" contains:
        """
        "from":"server","noise":"Server ready\n"}
        """
      And the file "s.jsonl" contains:
        """
        "from":"server","message":{"jsonrpc":"2.0", "id":1.0,"result":{"n":1.0}}}
        """
      And the file "s.jsonl" contains:
        """
        "from":"server","exit":{"code":3}}
        """
