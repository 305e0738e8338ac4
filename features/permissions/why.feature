Feature: Why a call is asked for, allowed or refused

  @PERM-10
  Rule: Each decision names the row that made it, so that a person can see why

    Scenario Outline: <rule>
      Given the settings have the servers:
        """
        {"id": "s", "command": "x", "auto_approve": ["approved"]}
        """
      And the server "s" offers the tools:
        """
        {"name": "destroys", "annotations": {"destructiveHint": true}}
        {"name": "approved"}
        {"name": "reads", "annotations": {"readOnlyHint": true}}
        {"name": "plain"}
        """
      When the host connects "s"
      Then the host's tool "mcp_s_<tool>" has "/rule" equal to "<rule>"
      And the decision on "mcp_s_<tool>" is explained as "<why>"

      Examples:
        | tool     | rule   | why                                                                  |
        | destroys | PERM-1 | the server says that this tool can destroy; such a tool always asks |
        | approved | PERM-2 | the settings approve this tool by name                               |
        | reads    | PERM-3 | the server says that this tool only reads                            |
        | plain    | PERM-4 | the server does not say that this tool only reads                    |

    Scenario: A refusal says it too
      Given the server "s" offers the tools:
        """
        plain
        """
      When the host calls "mcp_s_plain"
      Then the call fails with "mcp_s_plain was not called: it was asked for and refused; the server does not say that this tool only reads (PERM-4)"
      And "s" has got no calls
