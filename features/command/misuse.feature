Feature: Wrong use gets one clear line, a hint, and exit code 2

  Scenario Outline: mcp-replay <arguments>
    Given a file "notes.txt" with:
      """
      no cassette
      """
    When the user runs `mcp-replay <arguments>`
    Then the exit code is 2
    And stdout is empty
    And stderr is:
      """
      mcp-replay: <error>
      hint: <hint>
      """

    Examples:
      | arguments                         | error                                              | hint                                                               |
      | frobnicate                        | unknown command "frobnicate"                       | mcp-replay --help lists the commands                               |
      | tols                              | unknown command "tols"; did you mean tools?        | mcp-replay --help lists the commands                               |
      | tools --frob                      | unknown flag: --frob                               | --help after the command shows what it takes                       |
      | tools                             | no server is named                                 | name the server: -- COMMAND ARG…, --url URL, or --server ID        |
      | call                              | no tool is named                                   | mcp-replay tools lists them                                        |
      | show nope.jsonl                   | nope.jsonl: no such file                           | mcp-replay record -o FILE makes a cassette                         |
      | play nope.jsonl                   | nope.jsonl: no such file                           | mcp-replay record -o FILE makes a cassette                         |
      | tools --url a --url b -- c        | the server is named more than once                 | name the server: -- COMMAND ARG…, --url URL, or --server ID        |
      | tools --timeout 0 -- c            | --timeout 0: out of range                          | give 1 to 600 seconds                                              |
