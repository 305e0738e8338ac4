Feature: Faults on purpose, at the Nth call or by chance

  Background:
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
      < {"jsonrpc":"2.0","id":1,"result":"one"}
      > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
      < {"jsonrpc":"2.0","id":2,"result":"two"}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
      < {"jsonrpc":"2.0","id":3,"result":"three"}
      """

  @REP-8
  Rule: A fault strikes the answers that it names, and no others

    Scenario Outline: The second answer meets <fault>
      When the user runs `mcp-replay play s.jsonl --fault '<fault>@tools/call:a#2'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":"one"}
        <second>
        {"jsonrpc":"2.0","id":3,"result":"three"}
        """

      Examples:
        | fault             | second                                                           |
        | error=-32000:busy | {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"busy"}} |
        | truncate          | {"jsonrpc":"2.0","i                                              |
        | slow=400          | {"jsonrpc":"2.0","id":2,"result":"two"}                          |

    Scenario Outline: The server is gone after <fault>
      When the user runs `mcp-replay play s.jsonl --fault '<fault>@#2'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
        """
      Then the exit code is <code>
      And stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":"one"}
        """

      Examples:
        | fault      | code |
        | exit=7     | 7    |
        | disconnect | 0    |

    Scenario: A dropped answer never comes, a delayed one comes later
      When the user runs `mcp-replay play s.jsonl --fault 'drop@#1' --fault 'delay=100ms@#2'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":3,"result":"three"}
        {"jsonrpc":"2.0","id":2,"result":"two"}
        """

    Scenario: A line of garbage comes before the answer
      When the user runs `mcp-replay play s.jsonl --fault 'garbage@#1'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        Segmentation fault? no: this line is garbage, injected by a fault
        {"jsonrpc":"2.0","id":1,"result":"one"}
        """

    Scenario: By chance, with a seed, it is the same calls at every run
      When the user runs `mcp-replay play s.jsonl --fault 'error=-1:no@%50/3'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":"one"}
        {"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}
        {"jsonrpc":"2.0","id":3,"result":"three"}
        """

    Scenario: A fault that does not exist
      When the user runs `mcp-replay play s.jsonl --fault explode`
      Then the exit code is 2
      And stderr contains "is not one of delay, drop, error, garbage, truncate, slow, disconnect and exit"
