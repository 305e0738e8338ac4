Feature: Names of tools as the host sees them

  @NAME-1 @NAME-2 @NAME-4
  Rule: mcp_<server id>_<tool>, lower-cased, other characters as _; a clash gets _2, the next _3; at most 64 characters

    Scenario: Odd names
      Given the server "x" offers the tools:
        """
        read_file
        a.b
        a/b
        Plan scanner v2
        検索
        9lives
        {"name": "é"}
        {"name": "e\u0301"}
        __proto__
        {"name": "a\nb"}
        {"name": ""}
        """
      When the host connects "x"
      Then the host offers the tools:
        | mcp_x_read_file       | x |
        | mcp_x_a_b             | x |
        | mcp_x_a_b_2           | x |
        | mcp_x_plan_scanner_v2 | x |
        | mcp_x___              | x |
        | mcp_x_9lives          | x |
        | mcp_x__               | x |
        | mcp_x_e_              | x |
        | mcp_x___proto__       | x |
        | mcp_x_a_b_3           | x |

    Scenario: Names that are too long
      Given the server "long" offers the tools:
        """
        @@REPEAT 55 n@@
        @@REPEAT 56 n@@
        @@REPEAT 200 n@@
        @@REPEAT 55 N@@
        """
      When the host connects "long"
      Then the host offers the tools:
        | mcp_long_@@REPEAT 55 n@@          | long | @@REPEAT 55 n@@  |
        | mcp_long_@@REPEAT 46 n@@_4590c8a3    | long | @@REPEAT 56 n@@  |
        | mcp_long_@@REPEAT 46 n@@_f9d8eb8b    | long | @@REPEAT 200 n@@ |
        | mcp_long_@@REPEAT 46 n@@_5572fb69    | long | @@REPEAT 55 N@@  |

    Scenario: Tools of a recorded server
      Given the server "git" is played from "cassettes/servers/pypi/git.jsonl"
      When the host connects "git"
      Then the host's tool "mcp_git_git_status" has "/tool" equal to "git_status"

  @NAME-5
  Rule: The server's inputSchema is passed through as it came

    Scenario: To the byte
      Given the server "a" offers the tools:
        """
        {"name": "t", "inputSchema": { "type" : "object", "x-n": 1.0, "properties":{"é":{"const":9007199254740993}} }}
        """
      When the host connects "a"
      Then the input schema of the host's tool "mcp_a_t" is, byte for byte:
        """
        { "type" : "object", "x-n": 1.0, "properties":{"é":{"const":9007199254740993}} }
        """

  @NAME-6
  Rule: The description is [MCP <server name>] and the server's own

    Scenario Outline: <own>
      Given the settings have the servers:
        """
        {"id": "a", "name": "My notes", "command": "x"}
        """
      And the server "a" offers the tools:
        """
        {"name": "t"<own>}
        """
      When the host connects "a"
      Then the host's tool "mcp_a_t" has "/description" equal to "<description>"

      Examples:
        | own                                | description                |
        | , "description": "Adds a note."    | [MCP My notes] Adds a note. |
        | , "title": "Add"                   | [MCP My notes]@@REPEAT 1  @@ |
