Feature: A recorder that brings hosts and servers of different transports together

  @REP-7
  Rule: The host speaks its transport, the server its own, and the cassette tells the server's side

    Scenario: A host on stdio, a server on HTTP
      Given an HTTP server that answers:
        """
        ping  {"n":1.0}
        """
      When the user runs `mcp-replay record -o h.jsonl --url {url}` with the input:
        """
        {"jsonrpc":"2.0","id":"a","method":"ping"}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":"a","result":{"n":1.0}}
        """
      And the file "h.jsonl" contains:
        """
        "from":"client","exchange":1,"message":{"jsonrpc":"2.0","id":"a","method":"ping"}}
        """
