Feature: The smallest session for which a command still succeeds

  Background:
    Given a cassette "crash.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":1}}}
      < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}
      > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b","arguments":{"path":"/long/way/to/go","n":2}}}
      {"from":"server","stderr":"working\n"}
      < {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"and then it went boom, badly"}],"isError":true}}
      > {"jsonrpc":"2.0","id":3,"method":"ping"}
      < {"jsonrpc":"2.0","id":3,"result":{}}
      """

  Scenario: Frames, members and characters that do not matter are left out
    When the user runs `mcp-replay shrink crash.jsonl --keep 'grep -q boom'`
    Then stdout contains "crash.small.jsonl: 1 of 7 frames"
    And the file "crash.small.jsonl" has 2 lines
    And the file "crash.small.jsonl" contains:
      """
      "message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"text":"boom"}]}}}
      """

  Scenario: The command sees the candidate as {} and in a variable
    When the user runs `mcp-replay shrink crash.jsonl -o small.jsonl --keep 'grep -q stderr {} && grep -q method "$MCP_REPLAY_CASSETTE"'`
    Then the file "small.jsonl" has 3 lines
    When the user runs `mcp-replay show small.jsonl --format json`
    Then stdout as JSON has "/frames" equal to 2

  Scenario: It says how far it came, and the same run gives the same result
    When the user runs `mcp-replay shrink crash.jsonl -o one.jsonl --keep 'grep -q boom'`
    Then stderr contains "exchanges  1 runs, 7 frames"
    And stderr contains "contents"
    When the user runs `mcp-replay shrink crash.jsonl -o two.jsonl --keep 'grep -q boom'`
    And the user runs `mcp-replay diff one.jsonl two.jsonl`
    Then stdout contains "no change"

  Scenario: A search that is cut short leaves what it has found
    When the user runs `mcp-replay shrink crash.jsonl --max-runs 3 --keep 'grep -q boom'`
    Then stderr contains "the search was not finished"
    When the user runs `mcp-replay show crash.small.jsonl`
    Then stdout contains "boom"

  Scenario: The whole cassette does not show it
    When the user runs `mcp-replay shrink crash.jsonl --keep 'grep -q nowhere'`
    Then the exit code is 1
    And stderr contains "the command does not exit with 0 for the whole cassette (exit status 1)"
    And there is no file "crash.small.jsonl"

  Scenario: A command that takes too long ends with all that it has started
    When the user runs `mcp-replay shrink crash.jsonl --timeout 1 --keep '(sleep 2; echo late > late.txt); true'`
    Then the exit code is 1
    And stderr contains "still running after 1s"
    When the user runs `mcp-replay shrink crash.jsonl --max-runs 1 --keep 'sleep 1.5; test ! -e late.txt # {}'`
    Then stdout contains "7 of 7 frames"

  Scenario: What is made of a cassette is as private as that
    When the user runs `mcp-replay shrink crash.jsonl -o small.jsonl --keep 'grep -q boom'`
    Then "small.jsonl" has the mode 600
    Given "small.jsonl" is given the mode 640
    When the user runs `mcp-replay show small.jsonl --format html -o small.html`
    Then "small.html" has the mode 640

  Scenario: There is no place for the result
    When the user runs `mcp-replay shrink crash.jsonl -o nowhere/small.jsonl --keep 'grep -q boom'`
    Then the exit code is 2
    And stderr contains "nowhere/small.jsonl: there is no such folder"
