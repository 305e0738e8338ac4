Feature: Redaction rules of the user's own

  Background:
    Given a server that answers:
      """
      tools/call  {"content":[{"type":"text","text":"opened with ACME-1234ABCD"}]}
      """

  @REP-4
  Rule: Patterns and pointers of the user's are rules like the built-in ones

    Scenario: Recorded and played with the rule, and not without it
      When the user runs `mcp-replay record -o s.jsonl --redact acme=ACME-[A-Z0-9]{8} -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-1234ABCD"}}}
        """
      Then the file "s.jsonl" does not contain "ACME-1234ABCD"
      When the user runs `mcp-replay play s.jsonl --redact acme=ACME-[A-Z0-9]{8}` with the input:
        """
        {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-9999ZZZZ"}}}
        """
      Then stdout contains "opened with ACME-9999ZZZZ"
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-9999ZZZZ"}}}
        """
      Then the exit code is 2
      And stdout is empty
      And stderr does not contain "ACME-9999ZZZZ"

    Scenario: A pointer takes whatever stands there
      When the user runs `mcp-replay record -o s.jsonl --redact-pointer /params/arguments/pin -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"pin":[4,7,1,1],"n":1}}}
        """
      Then the file "s.jsonl" contains:
        """
        "arguments":{"pin":"[redacted:pointer:1]","n":1}}}}
        """

  @REP-4
  Rule: A cassette can be redacted again, and checked

    Scenario: What slipped by is found, and removed
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-1234ABCD"}}}
        """
      And the user runs `mcp-replay redact --check s.jsonl`
      Then the exit code is 0
      When the user runs `mcp-replay redact --check --redact acme=ACME-[A-Z0-9]{8} s.jsonl`
      Then the exit code is 1
      And the file "s.jsonl" contains:
        """
        ACME-1234ABCD
        """
      When the user runs `mcp-replay redact --redact acme=ACME-[A-Z0-9]{8} s.jsonl`
      Then the file "s.jsonl" does not contain "ACME-1234ABCD"
      When the user runs `mcp-replay redact --check --redact acme=ACME-[A-Z0-9]{8} s.jsonl`
      Then the exit code is 0
