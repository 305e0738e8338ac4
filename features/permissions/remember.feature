Feature: Answers that are remembered

  Background:
    Given the server "a" offers the tools:
      """
      {"name": "plain"}
      {"name": "other"}
      {"name": "reads", "annotations": {"readOnlyHint": true}}
      {"name": "destroys", "annotations": {"destructiveHint": true}}
      """
    And the server "b" offers the tools:
      """
      {"name": "plain"}
      """
    And the person who is asked allows and remembers

  @PERM-6
  Rule: "remember" holds until the host exits, for that one tool of that one server

    Scenario: It is asked once
      When the host calls "mcp_a_plain"
      Then the call meets ask, by PERM-4
      When the host calls "mcp_a_plain"
      Then the call meets allow, by PERM-6
      And the person has been asked 1 time
      And the decision on "mcp_a_other" is ask, by PERM-4
      When the host calls "mcp_b_plain"
      Then the call meets ask, by PERM-4

    Scenario: A read under ask
      When the host calls "mcp_a_reads"
      Then the call meets ask, by PERM-3
      When the host calls "mcp_a_reads"
      Then the call meets allow, by PERM-6

    Scenario: It outlives a reconnect, and not another command
      When the host calls "mcp_a_plain"
      And the server "a" breaks off
      And the host calls "mcp_a_plain"
      Then the call meets allow, by PERM-6
      When a person saves the server:
        """
        {"id": "a", "command": "another-server"}
        """
      Then the decision on "mcp_a_plain" is ask, by PERM-4

    Scenario: An answer without it counts once
      Given the person who is asked allows
      When the host calls "mcp_a_plain" with:
        | n | 1 |
      Then the person is asked about "plain" of "a", with the arguments {"n":1}
      When the host calls "mcp_a_plain"
      Then the call meets ask, by PERM-4
      And the person has been asked 2 times

  @PERM-5
  Rule: For a tool that can destroy, "remember" is ignored

    Scenario: It is asked each time
      When the host calls "mcp_a_destroys"
      Then the call meets ask, by PERM-1
      When the host calls "mcp_a_destroys"
      Then the call meets ask, by PERM-1
      And the person has been asked 2 times
      And the host's tool "mcp_a_destroys" has "/mayRemember" equal to false

    Scenario: And auto_approve does not override the hint
      When a person saves the server:
        """
        {"id": "a", "auto_approve": ["destroys"]}
        """
      And the host calls "mcp_a_destroys"
      Then the call meets ask, by PERM-1
