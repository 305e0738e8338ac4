Feature: What was redacted still matches, and comes back

  @REP-5
  Rule: A placeholder matches any value, and is bound to it for the session

    Scenario: The host's own secret comes back where the recorded one stood
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"[redacted:password:1]"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"note":"logged in with [redacted:password:1]"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who","arguments":{"password":"[redacted:password:1]"}}}
        < {"jsonrpc":"2.0","id":2,"result":"root"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"open \"sesame\""}}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who","arguments":{"password":"something else"}}}
        {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"who","arguments":{"password":"open \"sesame\""}}}
        """
      Then stdout contains:
        """
        {"jsonrpc":"2.0","id":1,"result":{"note":"logged in with open \"sesame\""}}
        {"jsonrpc":"2.0","id":2,"error":{"code":-32050,
        """
      And stdout contains:
        """
        {"jsonrpc":"2.0","id":3,"result":"root"}
        """
      And stdout does not contain "something else"

    Scenario: One that nothing has bound goes out as it stands, with a warning
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"token"}}
        < {"jsonrpc":"2.0","id":1,"result":["[redacted:token:7]","[[redacted:token:7]"]}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"token"}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":["[redacted:token:7]","[redacted:token:7]"]}
        """
      And stderr contains "an answer holds [redacted:token:7], which no request of this session has given a value"

    Scenario: Progress tokens and limits are no secrets, recorded and played
      Given a server that answers:
        """
        tools/call  {"content":[{"type":"text","text":"ok"}]}
        """
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"maxTokens":100,"cursor":"abc"},"_meta":{"progressToken":"p-1"}}}
        """
      And the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","arguments":{"maxTokens":100,"cursor":"abc"},"_meta":{"progressToken":"p-2"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"ok"}]}}
        """

  @REP-4
  Rule: A cassette is not played under other rules than it was recorded with

    Scenario: The user's rules are missing
      Given a cassette "s.jsonl" of the redaction rules "sha256:0123" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"key":"[redacted:user:1]"}}}
        < {"jsonrpc":"2.0","id":1,"result":"ok"}
        """
      When the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-1234ABCD"}}}
        """
      Then the exit code is 2
      And stdout is empty
      And stderr contains "the cassette was written under redaction rules of its own (sha256:0123), and none are given"
      And stderr does not contain "ACME"

    Scenario: With the user's rules it is played
      Given a server that answers:
        """
        tools/call  {"content":[{"type":"text","text":"opened ACME-1234ABCD"}]}
        """
      When the user runs `mcp-replay record -o s.jsonl --redact 'acme=ACME-[A-Z0-9]{8}' -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-1234ABCD"}}}
        """
      Then the file "s.jsonl" does not contain "ACME-1234ABCD"
      When the user runs `mcp-replay play s.jsonl --redact 'acme=ACME-[A-Z0-9]{8}'` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"key":"ACME-9876ZYXW"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"opened ACME-9876ZYXW"}]}}
        """
