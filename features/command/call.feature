Feature: The verb call calls one tool

  Scenario Outline: <arguments> → <sent>
    Given a server with the defaults of a fake
    When the user runs `mcp-replay call --yes <tool> <arguments> -- {server}`
    Then the exit code is 0
    And stdout is:
      """
      ok
      """
    And stderr is empty
    And the server receives "tools/call" with "/params/name" equal to "echo"
    And the server receives "tools/call" with "/params/arguments" equal to <sent>

    Examples:
      | tool            | arguments                | sent                   |
      | echo            | text=hi                  | {"text":"hi"}          |
      | mcp_server_echo | text=hi                  | {"text":"hi"}          |
      | echo            | 'text=two words' n:=5    | {"text":"two words","n":5} |
      | echo            | url=http://x/?a=b        | {"url":"http://x/?a=b"} |
      | echo            | list:=[1,2]              | {"list":[1,2]}         |
      | echo            | --args '{"a":{"b":1}}'   | {"a":{"b":1}}          |
      | echo            |                          | {}                     |

  Scenario: Arguments from stdin
    Given a server with the defaults of a fake
    When the user runs `mcp-replay call --yes echo --args - -- {server}` with the input:
      """
      {"text": "hi"}
      """
    Then the exit code is 0
    And the server receives "tools/call" with "/params/arguments" equal to {"text":"hi"}

  Scenario: For programs
    Given a server that answers:
      """
      tools/call  {"content":[{"type":"text","text":"two notes"}],"structuredContent":{"notes":2}}
      """
    When the user runs `mcp-replay call --yes --json echo -- {server}`
    Then the exit code is 0
    And stdout as JSON has "/tool" equal to "echo"
    And stdout as JSON has "/failed" equal to false
    And stdout as JSON has "/text" equal to "two notes"
    And stdout as JSON has "/structured" equal to {"notes":2}

  Scenario Outline: A call that <ends> ends with <exit code>
    Given a server that answers:
      """
      tools/call  <answer>
      """
    When the user runs `mcp-replay call --yes --timeout 1 echo -- {server}`
    Then the exit code is <exit code>
    And stderr contains "<stderr>"

    Examples:
      | ends            | answer                                                                | exit code | stderr                        |
      | is failed       | {"content":[{"type":"text","text":"out of paper"}],"isError":true}    | 1         |                               |
      | is refused      | error {"code":-32602,"message":"no such tool"}                        | 1         | no such tool (code -32602)    |
      | is not answered | nothing                                                               | 1         | no answer within 1s           |
      | kills           | exit 3                                                                | 3         | the server exited with code 3 |

  Scenario: Where the policy says ask, and there is nobody to ask
    Given a server with the defaults of a fake
    When the user runs `mcp-replay call echo -- {server}`
    Then the exit code is 1
    And stdout is empty
    And stderr is:
      """
      mcp-replay: echo: refused: the policy says ask (PERM-4), and there is no terminal to ask on
      hint: --yes calls without asking
      """
    And the server has received 0 "tools/call" messages
