Feature: Cassettes that cannot be read

  @REP-10
  Rule: A damaged cassette is refused with file, line and cause, and nothing is half-read in silence

    Background:
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"ping"}
        < {"jsonrpc":"2.0","id":1,"result":{}}
        {"from":"server","noise":"Server ready\n"}
        """

    Scenario Outline: <damage>
      When the file "s.jsonl" changes:
        | <text> | <becomes> |
      And the user runs `mcp-replay <verb> s.jsonl`
      Then the exit code is 2
      And stderr contains:
        """
        s.jsonl:<line>: damaged cassette: <cause>
        """

      Examples:
        | damage            | text             | becomes       | verb | line | cause                                                              |
        | No JSON           | "result":{}}     | "result":{}}x | show | 3    | column 78: 'x' where ',' or '}' is due           |
        | Half a line       | ,"result":{}}}   | ,"resu        | play | 3    | column 66: a string that does not end            |
        | An unknown side   | "from":"server"  | "from":"up"   | show | 3    | "from": "\"up\"" is neither client nor server    |
        | Two payloads      | "noise"          | "close":true,"noise" | show | 4 | "noise": a line tells one thing, and this is its second |
        | Another file      | "cassette"       | "tape"        | play | 1    | the first line has no "cassette" key: this is not a cassette |

    Scenario Outline: A newer version, for <verb>
      When the file "s.jsonl" changes:
        | {"cassette":1, | {"cassette":2, |
      And the user runs `mcp-replay <verb> s.jsonl`
      Then the exit code is 2
      And stderr contains "s.jsonl: cassette version 2 is newer than this program reads (1)"

      Examples:
        | verb |
        | show |
        | play |

    Scenario Outline: <what>, for <verb>
      When the user runs `mcp-replay <verb> <file>`
      Then the exit code is 2
      And stderr contains "<told>"
      And there is no file "none.jsonl"

      Examples:
        | what         | verb | file       | told                       |
        | No file      | show | none.jsonl | none.jsonl                 |
        | No file      | play | none.jsonl | none.jsonl                 |
        | A folder     | play | .          | a folder, not a cassette             |

    Scenario Outline: An empty file, for <verb>
      Given a file "empty.jsonl" with:
        """
        """
      When the last 1 bytes of the file "empty.jsonl" are lost
      And the user runs `mcp-replay <verb> empty.jsonl`
      Then the exit code is 2
      And stderr contains "empty.jsonl: the cassette is empty"

      Examples:
        | verb |
        | show |
        | play |

    Scenario: Cut off by a crash, it is taken up to its last whole frame, and says so
      When the last 9 bytes of the file "s.jsonl" are lost
      Then the cassette "s.jsonl" tells 2 messages
      When the user runs `mcp-replay show --format json s.jsonl`
      Then stdout as JSON has "/frames" equal to 2
      And stdout as JSON has "/truncated" equal to true

    Scenario: Only the last line feed is lost
      When the last 1 bytes of the file "s.jsonl" are lost
      And the user runs `mcp-replay show --format json s.jsonl`
      Then stdout as JSON has "/frames" equal to 3
      And stdout as JSON has "/truncated" equal to false
