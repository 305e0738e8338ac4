Feature: What an entry of a server may be

  @CFG-3
  Rule: id is 1–32 characters of a-z 0-9 - _

    Scenario Outline: The id "<id>" is taken
      When a person saves the server:
        """
        {"id": "<id>", "command": "x"}
        """
      Then the server "<id>" can be used

      Examples:
        | id                               |
        | a                                |
        | a-b_c-9                          |
        | abcdefghijklmnopqrstuvwxyz012345 |

    Scenario Outline: The id "<id>" is refused
      When a person saves the server:
        """
        {"id": "<id>", "command": "x"}
        """
      Then the save is refused, for the field "id"

      Examples:
        | id                                |
        |                                   |
        | A                                 |
        | a b                               |
        | a.b                               |
        | é                                 |
        | abcdefghijklmnopqrstuvwxyz0123456 |

  @CFG-4
  Rule: Two servers with one id are refused at load; one bad entry does not take the good ones down

    Scenario: Twins
      Given the settings have the servers:
        """
        {"id": "a", "command": "x"}, {"id": "b", "command": "y"}, {"id": "a", "command": "z"}
        """
      Then the server "a" cannot be used, for "server a: id: 2 servers have the id "a"; give each its own"
      And the server "b" can be used

    Scenario: A bad entry is listed with its error and never connected
      Given the settings have the servers:
        """
        7, {"id": "bad", "command": "x", "timeout": 0}, {"id": "good", "command": "x"}
        """
      And the server "good" offers the tools:
        """
        echo
        """
      When the host is up
      Then "good" is connected
      And "bad" is failed, for "server bad: timeout: must be a whole number of seconds from 1 to 600"
      And "bad" has been connected 0 times
      When the user runs `mcp-replay servers list`
      Then stderr contains "server number 1 of the list: entry: must be an object"
      And stdout contains "good"

  @CFG-5
  Rule: Each transport has its own fields; a field of the other is refused by name

    Scenario Outline: <server> is refused for <field>
      When a person saves the server:
        """
        <server>
        """
      Then the save is refused, for the field "<field>"

      Examples:
        | server                                                                               | field     |
        | {"id": "a", "transport": "sse", "url": "https://h/"}                                 | transport |
        | {"id": "a", "transport": "stdio"}                                                    | command   |
        | {"id": "a", "transport": "http"}                                                     | url       |
        | {"id": "a", "transport": "stdio", "command": "x", "url": "https://h/"}               | url       |
        | {"id": "a", "transport": "stdio", "command": "x", "headers": {"A": "b"}}             | headers   |
        | {"id": "a", "transport": "http", "url": "https://h/", "command": "x"}                | command   |
        | {"id": "a", "transport": "http", "url": "https://h/", "args": ["x"]}                 | args      |
        | {"id": "a", "transport": "http", "url": "https://h/", "env": {"A": "b"}}             | env       |
        | {"id": "a", "transport": "http", "url": "https://h/", "cwd": "/"}                    | cwd       |
        | {"id": "a", "command": "x", "comand": "y"}                                           | comand    |
        | {"id": "a", "command": 7}                                                            | command   |
        | {"id": "a", "command": "x", "args": ["y", 1]}                                        | args[1]   |
        | {"id": "a", "command": "x", "env": {"PORT": 80}}                                     | env.PORT  |
        | {"id": "a", "url": "https://h/", "headers": {"A": "b\\nC: d"}}                        | headers.A |

    Scenario: A server that changes its transport leaves the fields of the first
      Given the settings have the servers:
        """
        {"id": "a", "transport": "stdio", "command": "x", "args": ["y"]}
        """
      When a person saves the server:
        """
        {"id": "a", "transport": "http", "url": "https://example.com/mcp"}
        """
      Then the file ".imurun/settings.json" is:
        """
        {"mcp": {"servers": [
        {"id": "a", "transport": "http", "url": "https://example.com/mcp"}
        ]}}
        """

  @CFG-9
  Rule: timeout: whole seconds per tool call, 1–600, default 60; connecting has its own time

    Scenario Outline: A timeout of <seconds> is taken
      When a person saves the server:
        """
        {"id": "a", "command": "x", "timeout": <seconds>}
        """
      Then the server "a" has "/timeout" equal to <seconds>

      Examples:
        | seconds |
        | 1       |
        | 600     |

    Scenario Outline: A timeout of <seconds> is refused
      When a person saves the server:
        """
        {"id": "a", "command": "x", "timeout": <seconds>}
        """
      Then the save is refused, for "server a: timeout: must be a whole number of seconds from 1 to 600"

      Examples:
        | seconds |
        | 0       |
        | 601     |
        | 1.5     |
        | -1      |
        | "60"    |
        | 1e999   |

    Scenario: A call ends when the server's time is over
      Given the settings have the servers:
        """
        {"id": "a", "command": "x", "timeout": 1, "auto_approve": ["echo"]}
        """
      And the server "a" offers the tools:
        """
        echo
        """
      And the server "a" does not answer calls
      When the host calls "mcp_a_echo"
      Then the call fails with "tools/call: timeout: no answer within 1s"

    Scenario Outline: On the command line a server of the settings has its own time, unless <flag> is given
      Given a server that answers:
        """
        tools/call  nothing
        """
      And the settings have the fake server as "a"
      And a person saves the server:
        """
        {"id": "a", "timeout": <seconds>}
        """
      When the user runs `mcp-replay call --yes echo --home .imurun --server a <flag>`
      Then the exit code is 1
      And stderr contains "no answer within 1s"

      Examples:
        | seconds | flag        |
        | 1       |             |
        | 600     | --timeout 1 |

    Scenario: On the command line connecting can be given its own time
      Given a server that answers:
        """
        initialize  nothing
        """
      When the user runs `mcp-replay tools --connect-timeout 1 --timeout 600 -- {server}`
      Then the exit code is 3
      And stderr contains "no answer within 1"
      And it takes less than 10 s
