Feature: What the server did by itself comes back at its place

  @REP-8
  Rule: Progress, notifications, requests of the server, errors, stderr and exits come back as recorded

    Scenario: Progress comes with its own request, before its answer, and only to who wants it
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"ta"}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b","_meta":{"progressToken":"tb"}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tb","progress":1}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"ta","progress":1}}
        < {"jsonrpc":"2.0","id":1,"result":"a"}
        < {"jsonrpc":"2.0","id":2,"result":"b"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b","_meta":{"progressToken":7}}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
        {"jsonrpc":"2.0","id":1,"result":"b"}
        {"jsonrpc":"2.0","id":2,"result":"a"}
        """

    Scenario: A request of the server waits for the host, and what followed waits with it
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trip"}}
        < {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"maxTokens":10}}
        > {"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}}
        < {"jsonrpc":"2.0","id":"s2","method":"elicitation/create","params":{"message":"when?"}}
        > {"jsonrpc":"2.0","id":"s2","result":{"action":"accept"}}
        < {"jsonrpc":"2.0","id":1,"result":"booked"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trip"}}
        {"jsonrpc":"2.0","id":2,"method":"ping"}
        {"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}}
        {"jsonrpc":"2.0","id":3,"method":"ping"}
        {"jsonrpc":"2.0","id":"s2","result":{"action":"decline"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"maxTokens":10}}
        {"jsonrpc":"2.0","id":2,"result":{}}
        {"jsonrpc":"2.0","id":"s2","method":"elicitation/create","params":{"message":"when?"}}
        {"jsonrpc":"2.0","id":3,"result":{}}
        {"jsonrpc":"2.0","id":1,"result":"booked"}
        """

    Scenario: A notification follows what it followed, and stderr too
      Given a cassette "s.jsonl" with:
        """
        {"from":"server","stderr":"starting\n"}
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no a"}}
        < {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
        {"from":"server","stderr":"that was a\n"}
        {"from":"client","close":true}
        {"from":"server","exit":{"code":0}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","method":"notifications/initialized"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"no a"}}
        {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
        {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        """
      And stderr is:
        """
        starting
        that was a
        """

    Scenario Outline: The server exits with <code>, <when>
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        < {"jsonrpc":"2.0","id":1,"result":"a"}
        <close>
        {"from":"server","stderr":"bye\n"}
        {"from":"server","exit":{"code":<code>}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then the exit code is <code>
      And stderr is:
        """
        bye
        """

      Examples:
        | code | when                                    | close                          |
        | 3    | when its host closes stdin              | {"from":"client","close":true} |
        | 4    | by itself, after the answer to a call   |                                |

    Scenario: A banner that the server printed is not played: it is not of the protocol
      Given a cassette "s.jsonl" with:
        """
        {"from":"server","noise":"Server ready on stdio\n"}
        > {"jsonrpc":"2.0","id":1,"method":"ping"}
        < {"jsonrpc":"2.0","id":1,"result":{}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{}}
        """
      And stderr is empty

    Scenario Outline: Time comes back when it is asked for: <pace>
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        {"from":"server","stderr":"1\n"}
        {"from":"server","stderr":"2\n"}
        {"from":"server","stderr":"3\n"}
        {"from":"server","stderr":"4\n"}
        < {"jsonrpc":"2.0","id":1,"result":"a"}
        """
      When the user runs `mcp-replay play --pace <pace> s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":"a"}
        """
      And it takes more than <least>
      And it takes less than <most>

      Examples:
        | pace     | least  | most   |
        | none     | 0 ms   | 350 ms |
        | recorded | 399 ms | 900 ms |
        | 0.5x     | 799 ms | 1500 ms |
