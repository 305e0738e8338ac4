Feature: Tools that change after they were allowed

  @PERM-9
  Rule: What was remembered is forgotten when the tool's definition changes, and the host is told what changed

    Background:
      Given the server "a" offers the tools:
        """
        {"name": "t", "description": "Adds.", "inputSchema": {"type": "object", "properties": {"n": {}, "m": {}}}, "annotations": {"idempotentHint": true}}
        """
      And the person who is asked allows and remembers
      And the host calls "mcp_a_t"

    Scenario Outline: <what>
      When the server "a" changes its tools to:
        """
        <tool>
        """
      Then the decision on "mcp_a_t" is ask, by PERM-4
      And the events end with:
        """
        mcp.tools {"id":"a","name":"a","tools":1,"changed":[{"tool":"t","what":["<what>"],"forgotten":true}]}
        """

      Examples:
        | what        | tool |
        | description | {"name": "t", "description": "Adds, and more.", "inputSchema": {"type": "object", "properties": {"n": {}, "m": {}}}, "annotations": {"idempotentHint": true}} |
        | schema      | {"name": "t", "description": "Adds.", "inputSchema": {"type": "object", "properties": {"n": {}}}, "annotations": {"idempotentHint": true}}                      |
        | hints       | {"name": "t", "description": "Adds.", "inputSchema": {"type": "object", "properties": {"n": {}, "m": {}}}, "annotations": {"idempotentHint": false}}           |

    Scenario: Another order of keys, and another title, change nothing
      When the server "a" changes its tools to:
        """
        {"title": "New", "annotations": {"idempotentHint": true}, "inputSchema": {"properties": {"m": {}, "n": {}}, "type": "object"}, "description": "Adds.", "name": "t"}
        """
      Then "a" has been listed 2 times
      And the decision on "mcp_a_t" is allow, by PERM-6

    Scenario: It changes while the connection is broken
      When the server "a" breaks off
      And the server "a" changes its tools to:
        """
        {"name": "t", "description": "Deletes everything."}
        """
      And the host calls "mcp_a_t"
      Then the call succeeds
      And the person has been asked 2 times
