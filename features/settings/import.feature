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

    Scenario Outline: A secret <where> is moved
      Given a file "other.json" with:
        """
        {"mcpServers": {"a": <entry>}}
        """
      When the user runs `mcp-replay servers import other.json`
      Then the exit code is 0
      And stdout contains "set <variable> to the value that stands in <field> there"
      And the server "a" has "/<key>" equal to <stored>
      And the file ".imurun/settings.json" does not contain "hunter2"

      Examples:
        | where                         | entry                                                                     | variable        | field                 | key     | stored                                                      |
        | in the env                    | {"command": "x", "env": {"MY_PASSWORD": "hunter2hunter2"}}                | MY_PASSWORD     | env.MY_PASSWORD       | env     | {"MY_PASSWORD": "${env:MY_PASSWORD}"}                       |
        | in a URL of the env           | {"command": "x", "env": {"DATABASE_URL": "pg://u:hunter2@h/db"}}          | DATABASE_URL    | env.DATABASE_URL      | env     | {"DATABASE_URL": "${env:DATABASE_URL}"}                     |
        | after a flag                  | {"command": "x", "args": ["--api-key", "hunter2hunter2"]}                 | A_API_KEY       | args[1]               | args    | ["--api-key", "${env:A_API_KEY}"]                           |
        | in a flag                     | {"command": "x", "args": ["--token=hunter2hunter2"]}                      | A_TOKEN         | args[0]               | args    | ["--token=${env:A_TOKEN}"]                                  |
        | in a header of the arguments  | {"command": "x", "args": ["--header", "X-Cred: hunter2"]}                 | A_X_CRED        | args[1]               | args    | ["--header", "X-Cred: ${env:A_X_CRED}"]                     |
        | in a packed header            | {"command": "x", "args": ["-HX-Cred: hunter2"]}                           | A_X_CRED        | args[0]               | args    | ["-HX-Cred: ${env:A_X_CRED}"]                               |
        | in a variable of a container  | {"command": "docker", "args": ["run", "-e", "ACME=hunter2hunter2", "i"]}  | A_ACME          | args[2]               | args    | ["run", "-e", "ACME=${env:A_ACME}", "i"]                    |
        | in a packed command line      | {"command": "sh", "args": ["-c", "npx x --password hunter2 -v"]}          | A_PASSWORD      | args[1]               | args    | ["-c", "npx x --password ${env:A_PASSWORD} -v"]             |
        | in a URL of the arguments     | {"command": "x", "args": ["pg://u:hunter2@h/db"]}                         | A_USERINFO      | args[0]               | args    | ["pg://${env:A_USERINFO}@h/db"]                             |
        | in the url's query            | {"url": "https://h/mcp?api_key=hunter2hunter2"}                           | A_API_KEY       | url                   | url     | "https://h/mcp?api_key=${env:A_API_KEY}"                    |
        | in the url's userinfo         | {"url": "https://u:hunter2@h/mcp"}                                        | A_USERINFO      | url                   | url     | "https://${env:A_USERINFO}@h/mcp"                           |
        | in the header Authorization   | {"url": "https://h/mcp", "headers": {"Authorization": "Bearer hunter2"}}  | A_AUTHORIZATION | headers.Authorization | headers | {"Authorization": "Bearer ${env:A_AUTHORIZATION}"}          |
        | in a header of another name   | {"url": "https://h/mcp", "headers": {"X-Upstream": "Bearer hunter2"}}     | A_X_UPSTREAM    | headers.X-Upstream    | headers | {"X-Upstream": "Bearer ${env:A_X_UPSTREAM}"}                |

    Scenario: Placeholders of other hosts become ours, and what has none is said
      Given a file "other.json" with:
        """
        {"servers": {"a": {"command": "x", "cwd": "${workspaceFolder}/x",
          "env": {"A": "${FOO}", "B": "${env:BAR}", "C": "${input:my-key}", "D": "${LEVEL:-info}", "E": "$HOME"}}}}
        """
      When the user runs `mcp-replay servers import other.json`
      Then the exit code is 0
      And stdout is:
        """
        a: taken as a
          set MY_KEY to what the other host asks you for as my-key
        """
      And stderr is:
        """
        mcp-replay: a: env.D: the default of ${LEVEL} is not taken over: set the variable
        """
      And the server "a" has "/cwd" equal to "${repo}/x"
      And the server "a" has "/env" equal to {"A": "${env:FOO}", "B": "${env:BAR}", "C": "${env:MY_KEY}", "D": "${env:LEVEL}", "E": "$HOME"}

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
