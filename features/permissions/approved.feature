Feature: A tool that the settings approve

  @PERM-2
  Rule: What auto_approve lists is allowed at every level

    Scenario Outline: <destructive>, <reads>, <listed> approved, <level>, <allowed> been allowed: <decision>
      Given the server "s" offers the tool "t" with the hints <destructive> and <reads>
      And a person <allowed> allowed the tool before, to be remembered
      And the tool <listed> in auto_approve
      And the policy is "<level>"
      When the host calls "mcp_s_t"
      Then the call meets <decision>, by <rule>

      Examples:
        | destructive | reads  | listed | level       | allowed | decision | rule   |
        | false       | true   | is     | ask         | has not | allow    | PERM-2 |
        | false       | true   | is     | ask         | has     | allow    | PERM-2 |
        | false       | true   | is     | allow-reads | has not | allow    | PERM-2 |
        | false       | true   | is     | allow-reads | has     | allow    | PERM-2 |
        | false       | true   | is     | allow-all   | has not | allow    | PERM-2 |
        | false       | true   | is     | allow-all   | has     | allow    | PERM-2 |
        | false       | false  | is     | ask         | has not | allow    | PERM-2 |
        | false       | false  | is     | ask         | has     | allow    | PERM-2 |
        | false       | false  | is     | allow-reads | has not | allow    | PERM-2 |
        | false       | false  | is     | allow-reads | has     | allow    | PERM-2 |
        | false       | false  | is     | allow-all   | has not | allow    | PERM-2 |
        | false       | false  | is     | allow-all   | has     | allow    | PERM-2 |
        | false       | absent | is     | ask         | has not | allow    | PERM-2 |
        | false       | absent | is     | ask         | has     | allow    | PERM-2 |
        | false       | absent | is     | allow-reads | has not | allow    | PERM-2 |
        | false       | absent | is     | allow-reads | has     | allow    | PERM-2 |
        | false       | absent | is     | allow-all   | has not | allow    | PERM-2 |
        | false       | absent | is     | allow-all   | has     | allow    | PERM-2 |
        | false       | "yes"  | is     | ask         | has not | allow    | PERM-2 |
        | false       | "yes"  | is     | ask         | has     | allow    | PERM-2 |
        | false       | "yes"  | is     | allow-reads | has not | allow    | PERM-2 |
        | false       | "yes"  | is     | allow-reads | has     | allow    | PERM-2 |
        | false       | "yes"  | is     | allow-all   | has not | allow    | PERM-2 |
        | false       | "yes"  | is     | allow-all   | has     | allow    | PERM-2 |
        | absent      | true   | is     | ask         | has not | allow    | PERM-2 |
        | absent      | true   | is     | ask         | has     | allow    | PERM-2 |
        | absent      | true   | is     | allow-reads | has not | allow    | PERM-2 |
        | absent      | true   | is     | allow-reads | has     | allow    | PERM-2 |
        | absent      | true   | is     | allow-all   | has not | allow    | PERM-2 |
        | absent      | true   | is     | allow-all   | has     | allow    | PERM-2 |
        | absent      | false  | is     | ask         | has not | allow    | PERM-2 |
        | absent      | false  | is     | ask         | has     | allow    | PERM-2 |
        | absent      | false  | is     | allow-reads | has not | allow    | PERM-2 |
        | absent      | false  | is     | allow-reads | has     | allow    | PERM-2 |
        | absent      | false  | is     | allow-all   | has not | allow    | PERM-2 |
        | absent      | false  | is     | allow-all   | has     | allow    | PERM-2 |
        | absent      | absent | is     | ask         | has not | allow    | PERM-2 |
        | absent      | absent | is     | ask         | has     | allow    | PERM-2 |
        | absent      | absent | is     | allow-reads | has not | allow    | PERM-2 |
        | absent      | absent | is     | allow-reads | has     | allow    | PERM-2 |
        | absent      | absent | is     | allow-all   | has not | allow    | PERM-2 |
        | absent      | absent | is     | allow-all   | has     | allow    | PERM-2 |
        | absent      | "yes"  | is     | ask         | has not | allow    | PERM-2 |
        | absent      | "yes"  | is     | ask         | has     | allow    | PERM-2 |
        | absent      | "yes"  | is     | allow-reads | has not | allow    | PERM-2 |
        | absent      | "yes"  | is     | allow-reads | has     | allow    | PERM-2 |
        | absent      | "yes"  | is     | allow-all   | has not | allow    | PERM-2 |
        | absent      | "yes"  | is     | allow-all   | has     | allow    | PERM-2 |
