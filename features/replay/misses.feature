Feature: What the cassette lacks is an error at once

  Background:
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
      < {"jsonrpc":"2.0","id":1,"result":3}
      > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":2,"result":{"tools":["first"]}}
      > {"jsonrpc":"2.0","id":3,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":3,"result":{"tools":["second"]}}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"never"}}
      """

  @REP-6
  Rule: A miss shows the nearest recorded request and how it differs

    Scenario: No answer is lent to another request
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":5,"b":5}}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"never recorded: tools/call \"add\"; the nearest recorded is tools/call \"add\" (frame 1), which differs at /arguments/a and /arguments/b","data":{"reason":"never recorded","nearest":{"frame":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}},"pointers":["/arguments/a","/arguments/b"]}}}
        {"jsonrpc":"2.0","id":2,"result":3}
        """

    Scenario: A request that comes more often than it was recorded
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":3}
        {"jsonrpc":"2.0","id":2,"error":{"code":-32050,"message":"used up: tools/call \"add\" was recorded, and has been answered as often as it was; not asked for so far: tools/list (frame 3)","data":{"reason":"used up","nearest":{"frame":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}},"pointers":[]}}}
        """

    Scenario: A request that was recorded without an answer, and one of a method that was not recorded
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"never"}}
        {"jsonrpc":"2.0","id":2,"method":"resources/list"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"never answered: tools/call \"never\" was recorded (frame 7), and the recording has no answer to it","data":{"reason":"never answered","nearest":{"frame":7,"method":"tools/call","params":{"name":"never"}},"pointers":[]}}}
        {"jsonrpc":"2.0","id":2,"error":{"code":-32050,"message":"never recorded: the cassette holds no resources/list at all","data":{"reason":"never recorded","pointers":[]}}}
        """

  @REP-5
  Rule: A ping is always answered, and a list that is used up repeats its last answer

    Scenario Outline: A host lists again, matching by <match>
      When the user runs `mcp-replay play --match <match> s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
        {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        {"jsonrpc":"2.0","id":3,"method":"ping"}
        {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{}}
        {"jsonrpc":"2.0","id":5,"method":"tools/list"}
        {"jsonrpc":"2.0","id":6,"method":"tools/list"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":3}
        {"jsonrpc":"2.0","id":2,"result":{"tools":["first"]}}
        {"jsonrpc":"2.0","id":3,"result":{}}
        {"jsonrpc":"2.0","id":4,"result":{"tools":["second"]}}
        {"jsonrpc":"2.0","id":5,"result":{"tools":["second"]}}
        {"jsonrpc":"2.0","id":6,"result":{"tools":["second"]}}
        """

      Examples:
        | match   |
        | meaning |
        | strict  |

    Scenario: Matching strictly wants the recorded order
      When the user runs `mcp-replay play --match strict s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        """
      Then stdout contains "out of order: tools/list comes later: next in the recorded order is tools/call"

    Scenario: Matching by method alone ignores the params
      When the user runs `mcp-replay play --match method s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":3}
        """
