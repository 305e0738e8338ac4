Feature: Folders of the machine that recorded

  @REP-4
  Rule: Home, temporary and working folder are not named, and come back at replay

    Scenario: In both slash styles, encoded, at path boundaries
      Given the environment variable HOME is "/home/fxuser"
      And a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:ping@@,"result":["/home/fxuser/a","file:///home/fxuser/b","C:\\Users\\fxuser\\c","C:/Users/fxuser/d","\/home\/fxuser","%2Fhome%2Ffxuser%2Fe","/home/fxuser2/keep"]}
        """
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"ping"}
        """
      Then the file "s.jsonl" does not contain "fxuser/"
      And the cassette "s.jsonl" has the answer:
        """
        ["[path:home]/a","file://[path:home]/b","[path:home]\\c","[path:home]/d","[path:home]","[path:home:url]%2Fe","/home/fxuser2/keep"]
        """

    Scenario: On another machine they are that machine's
      Given a server that writes:
        """
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":["/home/fxuser/a","%2Fhome%2Ffxuser%2Fe"]}
        """
      And the environment variable HOME is "/home/fxuser"
      When the user runs `mcp-replay record -o s.jsonl -- {server}` with the input:
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls","arguments":{"dir":"/home/fxuser"}}}
        """
      And the user runs `mcp-replay play s.jsonl` with the input:
        """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ls","arguments":{"dir":"/home/fxuser"}}}
        """
      Then stdout is:
        """
        {"jsonrpc":"2.0","id":2,"result":["/home/fxuser/a","%2Fhome%2Ffxuser%2Fe"]}
        """
