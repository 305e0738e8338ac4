Feature: Two recordings, or a recording and a server

  Background:
    Given a cassette "monday.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"initialize"}
      < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","arguments":{"n":1,"m":2}}}
      < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"one"}]}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","arguments":{"n":2}}}
      < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"two"}],"n":1.0}}
      """

  Scenario: The answers to the requests that both have are compared by meaning
    Given a cassette "tuesday.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":"i","method":"initialize"}
      < {"jsonrpc":"2.0","id":"i","result":{"serverInfo":{"version":"1","name":"fake"},"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"arguments":{"n":2},"name":"a"}}
      < {"jsonrpc":"2.0","id":4,"result":{"n":1,"content":[{"type":"text","text":"two"}]}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","arguments":{"m":2,"n":1}}}
      < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"uno"}]}}
      """
    When the user runs `mcp-replay diff monday.jsonl tuesday.jsonl`
    Then the exit code is 1
    And stdout is:
      """
      1 behaviour; 2 requests compared

      BEHAVIOUR
        a: the answer to a({"n":1,"m":2}) is another
          at /result/content/0/text
          - "one"
          + "uno"
      """

  Scenario: A live server stands in for the second side
    Given a server that answers:
      """
      tools/list  {"tools":[{"name":"b"}]}
      """
    When the user runs `mcp-replay diff monday.jsonl --fail-on breaking -- {server}`
    Then the exit code is 1
    And stdout contains "a: the tool is gone"
    And stdout contains "b: the tool is new"
