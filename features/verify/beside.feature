Feature: What passes beside the answers

  @REP-9
  Rule: What the server tells by itself, and how it ends, is compared, and a difference is shown and fails nothing

    Background:
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":7}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
        < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
        {"from":"client","close":true}
        {"from":"server","exit":{"code":0}}
        """

    Scenario: Nothing differs
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":@@TOKEN:tools/call@@}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[]}}
        """
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then the exit code is 0
      And stdout is:
        """
        2 requests: 2 the same
        """

    Scenario: It tells something else, does not tell, tells more, and ends in another way
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"started"}}
        {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[]}}
        @@SLEEP 100 ms@@
        @@EXIT 3@@
        """
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then the exit code is 0
      And stdout is:
        """
        beside the answers
          /notifications/notifications~1message/0/params/data
            - "begun"
            + "started"
          /notifications/notifications~1progress
            - 1
            + 0
          /notifications/notifications~1tools~1list_changed
            - 0
            + 1
          /exit
            - {"code":0}
            + {"code":3}
        2 requests: 2 the same, 4 different beside the answers
        """
      When the user runs `mcp-replay verify s.jsonl --yes --ignore '/notifications/*' --format json -- {server}`
      Then the exit code is 0
      And stdout is:
        """
        {"requests":2,"same":2,"differences":[{"request":0,"session":0,"pointer":"/exit","recorded":{"code":0},"live":{"code":3},"severity":"notice"}],"unanswered":[],"skipped":[],"notes":[]}
        """
      When the user runs `mcp-replay verify s.jsonl --yes --ignore '/notifications/*' --ignore /exit -- {server}`
      Then stdout is:
        """
        2 requests: 2 the same
        """

    Scenario: What it writes to stdout beside its messages is counted
      Given a server that writes:
        """
        fx server 0.9 starting
        {"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        ready
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":@@TOKEN:tools/call@@}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[]}}
        """
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then the exit code is 0
      And stdout is:
        """
        beside the answers
          /noise
            - 0
            + 2
        2 requests: 2 the same, 1 different beside the answers
        """
      When the user runs `mcp-replay verify s.jsonl --yes --ignore /noise -- {server}`
      Then stdout is:
        """
        2 requests: 2 the same
        """
