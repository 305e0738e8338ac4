Feature: What a server says about its tools

  @PERM-7
  Rule: A hint that is absent is no hint; odd input never opens a door

    Scenario Outline: The annotations <annotations>
      Given the server "s" offers the tools:
        """
        {"name": "t", "annotations": <annotations>}
        """
      And the policy is "allow-all"
      When the host connects "s"
      Then the decision on "mcp_s_t" is <decision>, by <rule>

      Examples:
        | annotations                                          | decision | rule   |
        | null                                                 | ask      | PERM-4 |
        | {}                                                   | ask      | PERM-4 |
        | []                                                   | ask      | PERM-4 |
        | {"title": "t"}                                       | ask      | PERM-4 |
        | {"readOnlyHint": true}                               | allow    | PERM-3 |
        | {"readOnlyHint": "true"}                             | ask      | PERM-4 |
        | {"readOnlyHint": 1}                                  | ask      | PERM-4 |
        | {"readOnlyHint": null}                               | ask      | PERM-4 |
        | {"ReadOnlyHint": true}                               | ask      | PERM-4 |
        | {"readOnlyHint": true, "readOnlyHint": false}        | ask      | PERM-4 |
        | {"destructiveHint": null, "readOnlyHint": true}      | allow    | PERM-3 |
        | {"destructiveHint": false, "readOnlyHint": true}     | allow    | PERM-3 |
        | {"destructiveHint": 0, "readOnlyHint": true}         | ask      | PERM-1 |
        | {"destructiveHint": "false", "readOnlyHint": true}   | ask      | PERM-1 |
        | {"destructiveHint": true, "destructiveHint": false}  | ask      | PERM-1 |
        | "readOnlyHint"                                       | ask      | PERM-1 |

    Scenario: No annotations at all
      Given the server "s" offers the tools:
        """
        t
        """
      And the policy is "allow-all"
      When the host connects "s"
      Then the decision on "mcp_s_t" is ask, by PERM-4

  @PERM-3 @PERM-10
  Rule: Recorded servers get the decisions that their hints ask for

    Scenario Outline: <tool> under <level>
      Given the server "git" is played from "cassettes/servers/pypi/git.jsonl"
      And the policy is "<level>"
      When the host connects "git"
      Then the decision on "mcp_git_<tool>" is <decision>, by <rule>

      Examples:
        | tool       | level       | decision | rule   |
        | git_status | ask         | ask      | PERM-3 |
        | git_status | allow-reads | allow    | PERM-3 |
        | git_commit | allow-reads | ask      | PERM-4 |
        | git_commit | allow-all   | ask      | PERM-4 |
        | git_reset  | allow-all   | ask      | PERM-1 |
