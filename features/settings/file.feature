Feature: The settings file and what holds without one

  @CFG-1
  Rule: Settings are one JSON file; servers stand in its section mcp, list servers

    Scenario: No file at all
      When the settings are loaded
      Then the settings have these servers:
        | gmail      |
        | connectors |

    Scenario: What an entry leaves out
      Given the settings have the servers:
        """
        {"id": "files", "transport": "stdio", "command": "npx"}
        """
      Then the server "files" can be used
      And the server "files" has "/name" equal to "files"
      And the server "files" has "/enabled" equal to true
      And the server "files" has "/timeout" equal to 60
      And the server "files" has "/auto_approve" equal to []

    Scenario Outline: The home folder is named by <how>
      Given a file "elsewhere/settings.json" with:
        """
        {"mcp": {"policy": "allow-reads", "servers": [{"id": "there", "command": "x"}]}}
        """
      And the environment variable IMURUN_HOME is "<variable>"
      When the user runs `mcp-replay servers list --json <flag>`
      Then stdout as JSON has "/servers/0/id" equal to "there"
      And stdout as JSON has "/policy" equal to "allow-reads"
      And stdout as JSON has "/network" equal to true

      Examples:
        | how          | variable  | flag             |
        | --home       |           | --home elsewhere |
        | IMURUN_HOME  | elsewhere |                  |

    Scenario Outline: The policy <policy> and the network <network>
      Given a file ".imurun/settings.json" with:
        """
        {"mcp": {"policy": <policy>, "network": <network>}}
        """
      When the user runs `mcp-replay servers list --json`
      Then stdout as JSON has "/policy" equal to "<level>"
      And stdout as JSON has "/network" equal to <on>

      Examples: What is understood
        | policy        | network | level       | on    |
        | null          | null    | ask         | true  |
        | "ask"         | true    | ask         | true  |
        | "allow-reads" | false   | allow-reads | false |
        | "allow-all"   | true    | allow-all   | true  |

      Examples: What is not gives the stricter
        | policy       | network | level | on    |
        | "Allow-All"  | "true"  | ask   | false |
        | true         | 1       | ask   | false |

  @CFG-7
  Rule: enabled connects at start-up and offers the tools; absent means true; the built-in servers are there with false

    Scenario: The built-in servers
      When the settings are loaded
      Then the server "gmail" has "/enabled" equal to false
      And the server "connectors" has "/enabled" equal to false
      And the server "gmail" has "/args" equal to ["server", "gmail", "--home", "${home}"]

    Scenario: A built-in server is turned on, and nothing else of it is written
      Given a file ".imurun/settings.json" with:
        """
        {"mcp": {"servers": []}}
        """
      When a person saves the server:
        """
        {"id": "gmail", "enabled": true}
        """
      Then the file ".imurun/settings.json" is:
        """
        {"mcp": {"servers": [{"id": "gmail", "enabled": true}]}}
        """
      And the server "gmail" has "/command" equal to "mcp-replay"

    Scenario: Only what is enabled is connected and offered
      Given the settings have the servers:
        """
        {"id": "on", "command": "x"}, {"id": "off", "command": "x", "enabled": false}
        """
      And the server "on" offers the tools:
        """
        echo
        """
      And the server "off" offers the tools:
        """
        echo
        """
      When the host is up
      Then "on" is connected
      And "off" is disabled
      And the host offers the tools:
        | mcp_on_echo |
      And "off" has been connected 0 times
