Feature: What a view of a server shows

  Background:
    Given the settings have the servers:
      """
      {"id": "a", "command": "x", "env": {"API_KEY": "stored-1", "MODE": "dev"},
       "args": ["--token", "stored-2", "--api-key=stored-3", "-H", "X-Cred: stored-4", "-v", "${env:PLAIN}"]},
      {"id": "h", "url": "https://user:stored-5@example.com/mcp?key=stored-6&page=2", "headers": {"Accept": "stored-7"}}
      """

  @CFG-16
  Rule: ******** stands in place of every env and headers value, and of the credentials in url and args

    Scenario: A server on stdio
      Then the server "a" shows "/env" equal to {"API_KEY": "********", "MODE": "********"}
      And the server "a" shows "/args" equal to ["--token", "********", "--api-key=********", "-H", "X-Cred: ********", "-v", "${env:PLAIN}"]

    Scenario: A server on http
      Then the server "h" shows "/url" equal to "https://********@example.com/mcp?key=********&page=2"
      And the server "h" shows "/headers" equal to {"Accept": "********"}

    Scenario Outline: mcp-replay servers <verb>
      When the user runs `mcp-replay servers <verb>`
      Then stdout contains "********"
      And stdout does not contain "stored-"
      And stderr does not contain "stored-"

      Examples:
        | verb        |
        | list        |
        | list --json |
        | show a      |
        | show h      |

  @CFG-17
  Rule: Posting ******** for a name keeps the stored value, and so does a masked url or argument

    Scenario: A view is posted back
      When a person saves the server:
        """
        {"id": "a", "env": {"API_KEY": "********", "MODE": "live"},
         "args": ["-v", "--token", "********", "--api-key=********", "-H", "X-Cred: ********"]}
        """
      Then the server "a" has "/env" equal to {"API_KEY": "stored-1", "MODE": "live"}
      And the server "a" has "/args" equal to ["-v", "--token", "stored-2", "--api-key=stored-3", "-H", "X-Cred: stored-4"]

    Scenario: A masked url
      When a person saves the server:
        """
        {"id": "h", "url": "https://********@example.com/mcp?key=********&page=2", "headers": {"Accept": "********"}, "timeout": 5}
        """
      Then the server "h" has "/url" equal to "https://user:stored-5@example.com/mcp?key=stored-6&page=2"
      And the server "h" has "/headers" equal to {"Accept": "stored-7"}

  @CFG-18
  Rule: Posting ******** for a name with no stored value is refused, and says which

    Scenario Outline: <field>
      When a person saves the server:
        """
        <server>
        """
      Then the save is refused, for the field "<field>"

      Examples:
        | field                 | server                                                                              |
        | env.OTHER             | {"id": "a", "env": {"API_KEY": "********", "OTHER": "********"}}                    |
        | env.API_KEY           | {"id": "a", "env": {"API_KEY": "x********"}}                                        |
        | args[1]               | {"id": "a", "args": ["--other", "********"]}                                        |
        | headers.Authorization | {"id": "h", "headers": {"Authorization": "********"}}                               |
        | url                   | {"id": "h", "url": "https://********@evil.example/?key=********"}                   |
        | env.K                 | {"id": "new", "command": "x", "env": {"K": "********"}}                             |
