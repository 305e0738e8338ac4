Feature: A live server is held against a cassette

  @REP-9
  Rule: The recorded requests are sent, and what differs is said

    Background:
      Given a cassette "s.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"h","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"b"}}
        < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"bee"}],"n":1.0}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ay"}]}}
        """

    Scenario: Nothing differs but the order of keys and of answers
      Given a server that answers:
        """
        initialize  {"serverInfo":{"version":"1","name":"s"},"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}
        tools/call  {"content":[{"text":"ay","type":"text"}]}
        tools/call  {"n":1.0,"content":[{"type":"text","text":"bee"}]}
        """
      When the user runs `mcp-replay verify s.jsonl --yes --format json -- {server}`
      Then stdout is:
        """
        {"requests":3,"same":3,"differences":[],"unanswered":[],"skipped":[],"notes":[]}
        """
      And the server receives "initialize" with "/params/capabilities" equal to {"roots":{}}

    Scenario: A difference is shown with its place, a number's spelling counts for less
      Given a server that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
        tools/call  {"content":[{"type":"text","text":"eh"}]}
        tools/call  {"content":[{"type":"text","text":"bee"}],"n":1}
        """
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then the exit code is 1
      And stdout is:
        """
        request 2: tools/call "a" (frame 4)
          /result/content/0/text
            - "ay"
            + "eh"
        request 3: tools/call "b" (frame 5)
          /result/n: the same number, spelt 1 instead of 1.0
        3 requests: 2 the same, 1 different, 1 spelt in another way
        """
      When the user runs `mcp-replay verify s.jsonl --yes --ignore /result/content/0/text --format json -- {server}`
      Then stdout is:
        """
        {"requests":3,"same":3,"differences":[{"request":3,"pointer":"/result/n","recorded":1.0,"live":1,"severity":"spelling"}],"unanswered":[],"skipped":[],"notes":[]}
        """
      When the user runs `mcp-replay verify s.jsonl --yes --ignore 'tools/call:b /result/content/0/text' --format json -- {server}`
      Then the exit code is 1
      And stdout as JSON has "/differences/0" equal to:
        """
        {"request":2,"pointer":"/result/content/0/text","recorded":"ay","live":"eh","severity":"difference"}
        """

    Scenario: JUnit for a build server
      Given a server that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
        tools/call  {"content":[{"type":"text","text":"ay"}]}
        tools/call  error {"code":-32000,"message":"no b"}
        """
      When the user runs `mcp-replay verify s.jsonl --yes --format junit -- {server}`
      Then the exit code is 1
      And stdout contains:
        """
        <testsuite name="verify s" tests="3" failures="1" errors="0" skipped="0">
        """
      And stdout contains:
        """
        <testcase name="request 3: tools/call &#34;b&#34; (frame 5)" classname="s">
        """

    Scenario: A build server is also told that the server could not be started
      When the user runs `mcp-replay verify s.jsonl --yes --format junit -- no-such-server`
      Then the exit code is 3
      And stdout contains:
        """
        <testsuite name="verify s" tests="1" failures="0" errors="1" skipped="0">
          <testcase name="the server" classname="s">
            <error message="command &#34;no-such-server&#34;: executable file not found
        """
      When the user runs `mcp-replay verify s.jsonl --yes --format json -- no-such-server`
      Then the exit code is 3
      And stdout contains:
        """
        {"error":"command \"no-such-server\": executable file not found
        """

    Scenario: --update accepts the live answers
      Given a server that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"2"}}
        tools/call  {"content":[{"type":"text","text":"ay"}]}
        tools/call  {"content":[{"type":"text","text":"bee"}],"n":1.0}
        """
      When the user runs `mcp-replay verify s.jsonl --yes --update -- {server}`
      Then stdout contains "1 different"
      And the file "s.jsonl" contains:
        """
        "serverInfo":{"name":"s","version":"2"}
        """
      When the user runs `mcp-replay verify s.jsonl --yes -- {server}`
      Then stdout is:
        """
        3 requests: 3 the same
        """

    Scenario: An id that comes back as another type is a difference
      Given a cassette "t.jsonl" with:
        """
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}
        < {"jsonrpc":"2.0","id":2,"result":{}}
        """
      And a server that writes:
        """
        {"jsonrpc":"2.0","id":"@@IDTEXT:tools/call@@","result":{}}
        @@SLEEP 100 ms@@
        """
      When the user runs `mcp-replay verify t.jsonl --yes --format json -- {server}`
      Then the exit code is 1
      And stdout is:
        """
        {"requests":1,"same":0,"differences":[{"request":1,"pointer":"/id","recorded":2,"live":"2","severity":"difference"}],"unanswered":[],"skipped":[],"notes":[]}
        """

    Scenario: A server that breaks off
      Given a server that answers:
        """
        initialize  {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
        tools/call  exit 3
        """
      When the user runs `mcp-replay verify s.jsonl --yes --format json -- {server}`
      Then the exit code is 1
      And stdout is:
        """
        {"requests":3,"same":1,"differences":[],"unanswered":[2,3],"skipped":[],"notes":[]}
        """

    Scenario: A server that cannot be reached
      When the user runs `mcp-replay verify s.jsonl --yes -- no-such-server`
      Then the exit code is 3
      And stderr contains "no-such-server"
      And stdout is empty
