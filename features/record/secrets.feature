Feature: No secret reaches the disk

  @REP-4
  Rule: The values of the server's own environment turn up nowhere, in no encoding

    Scenario: In every kind of frame
      Given a server that writes:
        """
        using horse-battery-7
        @@STDERR pw=horse-battery-7@@
        {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"horse-battery-7","_meta":{"t":["horse-battery-7"]}}}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"error":{"code":-1,"message":"bad horse-battery-7"}}
        """
      When the user runs `mcp-replay record -o s.jsonl --env ACME_TOKEN=horse-battery-7 -- {server} --token horse-battery-7` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"pw":"horse-battery-7"},"_meta":{"t":"horse-battery-7"}}}
        """
      Then stdout contains "bad horse-battery-7"
      And the file "s.jsonl" does not contain "horse-battery-7"
      And the file "s.jsonl" contains:
        """
        "noise":"using [redacted:acme-token:1]\n"
        """
      And the file "s.jsonl" contains:
        """
        "params":{"name":"login","arguments":{"pw":"[redacted:acme-token:1]"},"_meta":{"t":"[redacted:acme-token:1]"}}}}
        """
      And the file "s.jsonl" contains:
        """
        "error":{"code":-1,"message":"bad [redacted:acme-token:1]"}}}
        """
      And the file "s.jsonl" contains:
        """
        "stderr":"pw=[redacted:acme-token:1]\n"
        """

    Scenario Outline: As <encoding>
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":{"text":"<text>"}}
        """
      When the user runs `mcp-replay record -o s.jsonl --env 'ACME_KEY=k"/+ey-99' -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the file "s.jsonl" contains:
        """
        [redacted:acme-key:
        """
      And the file "s.jsonl" does not contain "<part>"

      Examples:
        | encoding                | text                     | part   |
        | a JSON string           | k\"/+ey-99               | ey-99  |
        | JSON in a JSON string   | k\\\"/+ey-99             | ey-99  |
        | part of a query         | k%22%2F%2Bey-99          | ey-99  |
        | base64                  | ayIvK2V5LTk5             | K2V5LT |
        | base64 of user:password | dXNlcjprIi8rZXktOTk=     | K2V5LT |
        | base64, shifted         | dTprIi8rZXktOTkK         | rZXktO |
        | hexadecimal             | 6b222f2b65792d3939       | 65792d |

    Scenario: A value too short to be found is said
      Given a server that answers:
        """
        ping  {}
        """
      When the user runs `mcp-replay record -o s.jsonl --env API_KEY=x1 --env MODE=1 -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then stderr contains "environment variable API_KEY: its value is too short to be told from other text"
      And stderr does not contain "MODE"
      And the cassette "s.jsonl" tells 2 messages

  @REP-4
  Rule: Values under the names of credentials, and tokens known by their looks

    Scenario Outline: <what>
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":<result>}
        """
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the cassette "s.jsonl" has the answer:
        """
        <recorded>
        """

      Examples:
        | what                    | result                                                    | recorded                                                                          |
        | A string                | {"password":"hunter2"}                                    | {"password":"[redacted:password:N]"}                                              |
        | A number                | {"apiKey":12345}                                          | {"apiKey":"[redacted:apikey:N]"}                                                  |
        | An address              | {"url":"https://u:p@h.test/?api_key=1&page=2"}            | {"url":"https://[redacted:userinfo:N]@h.test/?api_key=[redacted:api-key:N]&page=2"} |
        | A header                | {"headers":{"Authorization":"Bearer abc"}}                | {"headers":{"Authorization":"Bearer [redacted:authorization:N]"}}                 |
        | JSON in a string        | {"text":"{\"secret\":\"hunter2\"}"}                       | {"text":"{\"secret\":\"[redacted:secret:N]\"}"}                                   |
        | Not in a schema         | {"inputSchema":{"password":"string"}}                     | {"inputSchema":{"password":"string"}}                                             |
        | Not where pages go on   | {"nextCursor":"abc","progressToken":"t","maxTokens":9,"page_token":"p"} | {"nextCursor":"abc","progressToken":"t","maxTokens":9,"page_token":"p"} |
        | Not in longer names     | {"monkey":"m","tokens":3,"secretary":"s"}                 | {"monkey":"m","tokens":3,"secretary":"s"}                                         |
        | A mark that is no secret | {"text":"[redacted:x:N] and [path:home]"}                | {"text":"[[redacted:x:N] and [[path:home]"}                                       |

  @REP-4
  Rule: Credentials in the server's command line are found by their place

    Scenario: Headers, variables and addresses as arguments
      Given a server that answers:
        """
        ping  {"echo":"fx-opaque-1 fx-opaque-2 fx-opaque-3 fx-opaque-4 fx-opaque-5 fx-opaque-7"}
        """
      When the user runs `mcp-replay record -o s.jsonl -- {server} --header 'X-Cred: fx-opaque-1' '--header=X-Cred: fx-opaque-2' '-HX-Cred: fx-opaque-3' '--header X-Cred: fx-opaque-4' -e ACME=fx-opaque-5 'https://u:fx-opaque-6@h.test/?k=fx-opaque-7'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the file "s.jsonl" does not contain "fx-opaque"
      And the cassette "s.jsonl" tells 2 messages
