Feature: The verb call records its session

  @REP-1 @REP-4
  Rule: --record writes the session of the call into a cassette

    Scenario: The call is in it, and a secret is not
      Given a server with the defaults of a fake
      When the user runs `mcp-replay call --yes --record one.jsonl echo text=hi --env API_KEY=hunter2hunter2 -- {server}`
      Then the exit code is 0
      And stdout is:
        """
        ok
        """
      And stderr is:
        """
        wrote one.jsonl
        """
      And the file "one.jsonl" contains:
        """
        "method":"tools/call"
        """
      And the file "one.jsonl" does not contain "hunter2hunter2"

    Scenario: A file that is there is left alone
      Given a server with the defaults of a fake
      And a file "one.jsonl" with:
        """
        mine
        """
      When the user runs `mcp-replay call --yes --record one.jsonl echo -- {server}`
      Then the exit code is 0
      And stderr contains "wrote one.2.jsonl"
      And the file "one.jsonl" is:
        """
        mine
        """

    Scenario: A session that never began leaves no file
      When the user runs `mcp-replay call --record one.jsonl echo -- /no/such/program`
      Then the exit code is 3
      And stderr contains "no such file or directory"
      And there is no file "one.jsonl"
