Feature: A host that bends the protocol is told so

  @REP-8
  Rule: A batch is taken in the one protocol version that has them

    Scenario Outline: A batch in <version>
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"<version>"}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"<version>"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize"}
        [{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":3,"method":"ping"}]
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"<version>"}}
        <answer>
        """

      Examples:
        | version    | answer |
        | 2025-03-26 | [{"jsonrpc":"2.0","id":2,"result":{"tools":[]}},{"jsonrpc":"2.0","id":3,"result":{}}] |
        | 2025-06-18 | {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch: only protocol version 2025-03-26 has them"}} |

  @REP-5
  Rule: Of two requests in flight under one id the second is refused

    Scenario: The first keeps its answer
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        < {"jsonrpc":"2.0","id":"s","method":"roots/list"}
        > {"jsonrpc":"2.0","id":"s","result":{"roots":[]}}
        < {"jsonrpc":"2.0","id":1,"result":"slow"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fast"}}
        < {"jsonrpc":"2.0","id":2,"result":"fast"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}
        {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fast"}}
        {"jsonrpc":"2.0","id":"s","result":{"roots":[]}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"s","method":"roots/list"}
        {"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"a request with the id 7 is still waiting for its answer"}}
        {"jsonrpc":"2.0","id":7,"result":"slow"}
        """

  @REP-5
  Rule: The host's own id comes back, whatever type the recorded server made of it

    Scenario Outline: The host asks under <id>
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        < {"jsonrpc":"2.0","id":"1","result":{}}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":<id>,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":<id>,"result":{}}
        """

      Examples:
        | id    |
        | 1     |
        | "1"   |
        | "a-1" |
        | 0     |
        | -3    |
