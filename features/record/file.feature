Feature: The file of a recording

  @REP-2
  Rule: A frame is in the file before its last byte is passed on, whatever kills the recorder

    Scenario Outline: The recorder is killed after <answers> answers
      Given a server that answers:
        """
        ping  {}
        """
      When the host has <answers> answers through a recorder to "s.jsonl", which is then killed
      Then the cassette "s.jsonl" tells <messages> messages

      Examples:
        | answers | messages |
        | 1       | 2        |
        | 7       | 14       |
        | 100     | 200      |

    Scenario: The disk is full, and the session goes on
      Given a server that answers:
        """
        ping  {"text":"some text that takes its place on the disk"}
        """
      And no file may grow over 1024 bytes
      When the host runs the server through a recorder to "s.jsonl" with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        {"jsonrpc":"2.0","id":2,"method":"ping"}
        {"jsonrpc":"2.0","id":3,"method":"ping"}
        {"jsonrpc":"2.0","id":4,"method":"ping"}
        {"jsonrpc":"2.0","id":5,"method":"ping"}
        {"jsonrpc":"2.0","id":6,"method":"ping"}
        {"jsonrpc":"2.0","id":7,"method":"ping"}
        {"jsonrpc":"2.0","id":8,"method":"ping"}
        """
      Then the host sees what it sees without the recorder, and is told once "recording stopped after"
      And the cassette "s.jsonl" reads from end to end

    Scenario: A host starts its server again and again
      Given a server that answers:
        """
        ping  {}
        """
      When the host has 1 answers through a recorder to "s.jsonl", which is then killed
      And the host has 2 answers through a recorder to "s.jsonl", which is then killed
      And the host has 3 answers through a recorder to "s.jsonl", which is then killed
      Then the cassette "s.jsonl" tells 2 messages
      And the cassette "s.2.jsonl" tells 4 messages
      And the cassette "s.3.jsonl" tells 6 messages

    Scenario: The host is told where the session goes
      Given a server that answers:
        """
        ping  {}
        """
      And a file "s.jsonl" with:
        """
        somebody's notes
        """
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then stderr contains "s.jsonl exists, recording to s.2.jsonl"
      And the file "s.jsonl" is:
        """
        somebody's notes
        """
      And the cassette "s.2.jsonl" tells 2 messages

    Scenario: A server that cannot be started leaves no file
      When the user runs `mcp-replay record -o s.jsonl -- no-such-command-here` with the input:
        """
        """
      Then the exit code is 3
      And there is no file "s.jsonl"
