Feature: Servers from the files of other hosts

  @CFG-20
  Rule: A map of servers as other hosts write it is brought in with one command

    Scenario: Comments, trailing commas, secrets, and what cannot be taken
      Given a file "other.json" with:
        """
        {
          // of another host
          "mcpServers": {
            "My Files": {"command": "npx", "args": ["-y", "pkg", "${workspaceFolder}",], "env": {"API_KEY": "hunter2hunter2"}},
            "remote": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer hunter2hunter2"}, "disabled": true},
            "old": {"type": "sse", "url": "https://example.com/sse"}, /* no more */
          },
        }
        """
      When the user runs `mcp-replay servers import other.json`
      Then the exit code is 1
      And stdout is:
        """
        My Files: taken as my-files
          set API_KEY to the value that stands in env.API_KEY there
        remote: taken as remote
          set REMOTE_AUTHORIZATION to the value that stands in headers.Authorization there
        """
      And stderr is:
        """
        mcp-replay: old: not taken: server old: type: is the HTTP+SSE transport of 2024-11-05, which is not supported; ask the server for Streamable HTTP
        mcp-replay: 1 of 3 entries were not taken
        """
      And the server "my-files" has "/env" equal to {"API_KEY": "${env:API_KEY}"}
      And the server "my-files" has "/args" equal to ["-y", "pkg", "${repo}"]
      And the server "remote" has "/headers" equal to {"Authorization": "Bearer ${env:REMOTE_AUTHORIZATION}"}
      And the server "remote" has "/enabled" equal to false
      And the file ".imurun/settings.json" does not contain "hunter2"

    Scenario Outline: The map is called <map>
      Given a file "other.json" with:
        """
        <text>
        """
      When the user runs `mcp-replay servers import other.json`
      Then the server "a" has "/command" equal to "x"

      Examples:
        | map             | text                                             |
        | mcpServers      | {"mcpServers": {"a": {"command": "x"}}}          |
        | servers         | {"servers": {"a": {"command": "x"}}, "inputs": []} |
        | mcp.servers     | {"mcp": {"servers": {"a": {"command": "x"}}}}    |
        | context_servers | {"context_servers": {"a": {"command": "x"}}}     |

    Scenario: What is there already stays
      Given a file "other.json" with:
        """
        {"mcpServers": {"a": {"command": "new"}}}
        """
      And the settings have the servers:
        """
        {"id": "a", "command": "old"}
        """
      When the user runs `mcp-replay servers import other.json`
      Then the exit code is 1
      And stderr contains "a: not taken: there is a server a already; --replace replaces it"
      And the server "a" has "/command" equal to "old"
      When the user runs `mcp-replay servers import --replace other.json`
      Then the server "a" has "/command" equal to "new"

    Scenario: A file without a map
      Given a file "other.json" with:
        """
        {"theme": "dark"}
        """
      When the user runs `mcp-replay servers import other.json`
      Then the exit code is 2
      And stderr contains "holds no map of servers"
