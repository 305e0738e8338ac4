Feature: Verify asks before it changes anything

  Background:
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
      < {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"write"},{"name":"wipe","annotations":{"readOnlyHint":true,"destructiveHint":true}}]}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read"}}
      < {"jsonrpc":"2.0","id":2,"result":"r"}
      > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write"}}
      < {"jsonrpc":"2.0","id":3,"result":"w"}
      > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"wipe"}}
      < {"jsonrpc":"2.0","id":4,"result":"x"}
      """

  @REP-9
  Rule: A call that is not read-only is sent with consent alone

    Scenario: Without a terminal nothing is sent, and the tools are named
      Given a server with the defaults of a fake
      When the user runs `mcp-replay verify s.jsonl -- {server}`
      Then the exit code is 1
      And stderr contains "not sent without consent, since they may change something: wipe and write"
      And stdout is empty
      And the server has been started 0 times

    Scenario: Names that play tricks on a terminal, and more of them than anybody reads
      Given a cassette "odd.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\u001b[2J\nb\u202e"}}
        < {"jsonrpc":"2.0","id":1,"result":"r"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":" c"}}
        < {"jsonrpc":"2.0","id":2,"result":"r"}
        """
      And a server with the defaults of a fake
      When the user runs `mcp-replay verify odd.jsonl -- {server}`
      Then the exit code is 1
      And stderr contains "a‹ESC›[2J⏎b‹U+202E right-to-left override›"

    Scenario: Only what only reads
      Given a server that answers:
        """
        tools/list  {"tools":[{"name":"wipe","annotations":{"destructiveHint":true,"readOnlyHint":true}},{"name":"write"},{"name":"read","annotations":{"readOnlyHint":true}}]}
        tools/call  "r"
        """
      When the user runs `mcp-replay verify s.jsonl --only-reads -- {server}`
      Then stdout is:
        """
        request 3: tools/call "write" (frame 5)
          skipped: it may change something
        request 4: tools/call "wipe" (frame 7)
          skipped: it may change something
        4 requests: 2 the same, 2 skipped
        """
      And the server has received 1 "tools/call" message

    Scenario: A tool of which the live server no longer says that it only reads
      Given a server that answers:
        """
        tools/list  {"tools":[{"name":"read"},{"name":"write"},{"name":"wipe","annotations":{"readOnlyHint":true,"destructiveHint":true}}]}
        """
      When the user runs `mcp-replay verify s.jsonl --only-reads -- {server}`
      Then the exit code is 1
      And stdout contains "skipped: the live server no longer says that it only reads"
      And the server has received 0 "tools/call" messages
