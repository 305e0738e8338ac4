Feature: A tool that can destroy

  @PERM-1 @PERM-5 @PERM-7
  Rule: annotations.destructiveHint: true asks at every level, whatever else is set

    Scenario Outline: <destructive>, <reads>, <listed> approved, <level>, <allowed> been allowed: <decision>
      Given the server "s" offers the tool "t" with the hints <destructive> and <reads>
      And a person <allowed> allowed the tool before, to be remembered
      And the tool <listed> in auto_approve
      And the policy is "<level>"
      When the host calls "mcp_s_t"
      Then the call meets <decision>, by <rule>

      Examples:
        | destructive | reads  | listed | level       | allowed | decision | rule   |
        | true        | true   | is not | ask         | has not | ask      | PERM-1 |
        | true        | true   | is not | ask         | has     | ask      | PERM-1 |
        | true        | true   | is not | allow-reads | has not | ask      | PERM-1 |
        | true        | true   | is not | allow-reads | has     | ask      | PERM-1 |
        | true        | true   | is not | allow-all   | has not | ask      | PERM-1 |
        | true        | true   | is not | allow-all   | has     | ask      | PERM-1 |
        | true        | true   | is     | ask         | has not | ask      | PERM-1 |
        | true        | true   | is     | ask         | has     | ask      | PERM-1 |
        | true        | true   | is     | allow-reads | has not | ask      | PERM-1 |
        | true        | true   | is     | allow-reads | has     | ask      | PERM-1 |
        | true        | true   | is     | allow-all   | has not | ask      | PERM-1 |
        | true        | true   | is     | allow-all   | has     | ask      | PERM-1 |
        | true        | false  | is not | ask         | has not | ask      | PERM-1 |
        | true        | false  | is not | ask         | has     | ask      | PERM-1 |
        | true        | false  | is not | allow-reads | has not | ask      | PERM-1 |
        | true        | false  | is not | allow-reads | has     | ask      | PERM-1 |
        | true        | false  | is not | allow-all   | has not | ask      | PERM-1 |
        | true        | false  | is not | allow-all   | has     | ask      | PERM-1 |
        | true        | false  | is     | ask         | has not | ask      | PERM-1 |
        | true        | false  | is     | ask         | has     | ask      | PERM-1 |
        | true        | false  | is     | allow-reads | has not | ask      | PERM-1 |
        | true        | false  | is     | allow-reads | has     | ask      | PERM-1 |
        | true        | false  | is     | allow-all   | has not | ask      | PERM-1 |
        | true        | false  | is     | allow-all   | has     | ask      | PERM-1 |
        | true        | absent | is not | ask         | has not | ask      | PERM-1 |
        | true        | absent | is not | ask         | has     | ask      | PERM-1 |
        | true        | absent | is not | allow-reads | has not | ask      | PERM-1 |
        | true        | absent | is not | allow-reads | has     | ask      | PERM-1 |
        | true        | absent | is not | allow-all   | has not | ask      | PERM-1 |
        | true        | absent | is not | allow-all   | has     | ask      | PERM-1 |
        | true        | absent | is     | ask         | has not | ask      | PERM-1 |
        | true        | absent | is     | ask         | has     | ask      | PERM-1 |
        | true        | absent | is     | allow-reads | has not | ask      | PERM-1 |
        | true        | absent | is     | allow-reads | has     | ask      | PERM-1 |
        | true        | absent | is     | allow-all   | has not | ask      | PERM-1 |
        | true        | absent | is     | allow-all   | has     | ask      | PERM-1 |
        | true        | "yes"  | is not | ask         | has not | ask      | PERM-1 |
        | true        | "yes"  | is not | ask         | has     | ask      | PERM-1 |
        | true        | "yes"  | is not | allow-reads | has not | ask      | PERM-1 |
        | true        | "yes"  | is not | allow-reads | has     | ask      | PERM-1 |
        | true        | "yes"  | is not | allow-all   | has not | ask      | PERM-1 |
        | true        | "yes"  | is not | allow-all   | has     | ask      | PERM-1 |
        | true        | "yes"  | is     | ask         | has not | ask      | PERM-1 |
        | true        | "yes"  | is     | ask         | has     | ask      | PERM-1 |
        | true        | "yes"  | is     | allow-reads | has not | ask      | PERM-1 |
        | true        | "yes"  | is     | allow-reads | has     | ask      | PERM-1 |
        | true        | "yes"  | is     | allow-all   | has not | ask      | PERM-1 |
        | true        | "yes"  | is     | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | true   | is not | ask         | has not | ask      | PERM-1 |
        | "yes"       | true   | is not | ask         | has     | ask      | PERM-1 |
        | "yes"       | true   | is not | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | true   | is not | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | true   | is not | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | true   | is not | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | true   | is     | ask         | has not | ask      | PERM-1 |
        | "yes"       | true   | is     | ask         | has     | ask      | PERM-1 |
        | "yes"       | true   | is     | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | true   | is     | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | true   | is     | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | true   | is     | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | false  | is not | ask         | has not | ask      | PERM-1 |
        | "yes"       | false  | is not | ask         | has     | ask      | PERM-1 |
        | "yes"       | false  | is not | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | false  | is not | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | false  | is not | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | false  | is not | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | false  | is     | ask         | has not | ask      | PERM-1 |
        | "yes"       | false  | is     | ask         | has     | ask      | PERM-1 |
        | "yes"       | false  | is     | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | false  | is     | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | false  | is     | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | false  | is     | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | absent | is not | ask         | has not | ask      | PERM-1 |
        | "yes"       | absent | is not | ask         | has     | ask      | PERM-1 |
        | "yes"       | absent | is not | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | absent | is not | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | absent | is not | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | absent | is not | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | absent | is     | ask         | has not | ask      | PERM-1 |
        | "yes"       | absent | is     | ask         | has     | ask      | PERM-1 |
        | "yes"       | absent | is     | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | absent | is     | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | absent | is     | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | absent | is     | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | "yes"  | is not | ask         | has not | ask      | PERM-1 |
        | "yes"       | "yes"  | is not | ask         | has     | ask      | PERM-1 |
        | "yes"       | "yes"  | is not | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | "yes"  | is not | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | "yes"  | is not | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | "yes"  | is not | allow-all   | has     | ask      | PERM-1 |
        | "yes"       | "yes"  | is     | ask         | has not | ask      | PERM-1 |
        | "yes"       | "yes"  | is     | ask         | has     | ask      | PERM-1 |
        | "yes"       | "yes"  | is     | allow-reads | has not | ask      | PERM-1 |
        | "yes"       | "yes"  | is     | allow-reads | has     | ask      | PERM-1 |
        | "yes"       | "yes"  | is     | allow-all   | has not | ask      | PERM-1 |
        | "yes"       | "yes"  | is     | allow-all   | has     | ask      | PERM-1 |
