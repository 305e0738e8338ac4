Feature: Which addresses a server may have

  @CFG-6
  Rule: url is https:// anywhere, or http:// on exactly 127.0.0.1, localhost or ::1

    Scenario Outline: <url> is taken
      When a person saves the server:
        """
        {"id": "a", "transport": "http", "url": "<url>"}
        """
      Then the server "a" has "/url" equal to "<url>"

      Examples:
        | url                         |
        | https://example.com/mcp     |
        | https://u:p@example.com:444 |
        | http://127.0.0.1:3000/mcp   |
        | http://localhost/mcp        |
        | http://[::1]:80/mcp         |
        | ${env:URL}                  |
        | https://${env:HOST}/mcp     |

    Scenario Outline: <url> is refused
      When a person saves the server:
        """
        {"id": "a", "transport": "http", "url": "<url>"}
        """
      Then the save is refused, for the field "url"

      Examples:
        | url                             |
        | http://localhost.evil.example   |
        | http://localhost@evil.example   |
        | http://127.0.0.1.nip.io         |
        | http://127.0.0.1@evil.example/  |
        | http://evil.example#@localhost  |
        | http://127.1                    |
        | http://2130706433               |
        | http://0.0.0.0                  |
        | http://localhost.               |
        | http://LOCALHOST                |
        | http://[::ffff:127.0.0.1]/      |
        | http://evil.example/${env:PATH} |
        | ftp://example.com               |
        | https://                        |
        | example.com                     |
        | https://example.com:99999       |

    Scenario: The refusal does not repeat what may be secret
      When a person saves the server:
        """
        {"id": "a", "transport": "http", "url": "http://user:hunter2hunter2@evil.example/"}
        """
      Then the save is refused, for "server a: url: http:// is taken on exactly 127.0.0.1, localhost and ::1; use https://"

    Scenario: It is checked again after placeholders are filled in
      Given the settings have the servers:
        """
        {"id": "a", "transport": "http", "url": "http://${env:HOST}/mcp"}
        """
      And the host's environment has HOST set to "evil.example"
      When the server "a" is about to be connected
      Then the connection is refused, for "server a: url: http:// is taken on exactly 127.0.0.1, localhost and ::1; use https:// (after its placeholders were filled in)"

    Scenario: And taken where it is this machine
      Given the settings have the servers:
        """
        {"id": "a", "transport": "http", "url": "http://${env:HOST}/mcp"}
        """
      And the host's environment has HOST set to "localhost:8080"
      When the server "a" is about to be connected
      Then the connection is given "/url" equal to "http://localhost:8080/mcp"
