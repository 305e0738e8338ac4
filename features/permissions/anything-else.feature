Feature: A tool of which nothing is known

  @PERM-4 @PERM-6 @PERM-7
  Rule: Anything else asks at every level, until it is remembered

    Scenario Outline: <destructive>, <reads>, <listed> approved, <level>, <allowed> been allowed: <decision>
      Given the server "s" offers the tool "t" with the hints <destructive> and <reads>
      And a person <allowed> allowed the tool before, to be remembered
      And the tool <listed> in auto_approve
      And the policy is "<level>"
      When the host calls "mcp_s_t"
      Then the call meets <decision>, by <rule>

      Examples:
        | destructive | reads  | listed | level       | allowed | decision | rule   |
        | false       | false  | is not | ask         | has not | ask      | PERM-4 |
        | false       | false  | is not | ask         | has     | allow    | PERM-6 |
        | false       | false  | is not | allow-reads | has not | ask      | PERM-4 |
        | false       | false  | is not | allow-reads | has     | allow    | PERM-6 |
        | false       | false  | is not | allow-all   | has not | ask      | PERM-4 |
        | false       | false  | is not | allow-all   | has     | allow    | PERM-6 |
        | false       | absent | is not | ask         | has not | ask      | PERM-4 |
        | false       | absent | is not | ask         | has     | allow    | PERM-6 |
        | false       | absent | is not | allow-reads | has not | ask      | PERM-4 |
        | false       | absent | is not | allow-reads | has     | allow    | PERM-6 |
        | false       | absent | is not | allow-all   | has not | ask      | PERM-4 |
        | false       | absent | is not | allow-all   | has     | allow    | PERM-6 |
        | false       | "yes"  | is not | ask         | has not | ask      | PERM-4 |
        | false       | "yes"  | is not | ask         | has     | allow    | PERM-6 |
        | false       | "yes"  | is not | allow-reads | has not | ask      | PERM-4 |
        | false       | "yes"  | is not | allow-reads | has     | allow    | PERM-6 |
        | false       | "yes"  | is not | allow-all   | has not | ask      | PERM-4 |
        | false       | "yes"  | is not | allow-all   | has     | allow    | PERM-6 |
        | absent      | false  | is not | ask         | has not | ask      | PERM-4 |
        | absent      | false  | is not | ask         | has     | allow    | PERM-6 |
        | absent      | false  | is not | allow-reads | has not | ask      | PERM-4 |
        | absent      | false  | is not | allow-reads | has     | allow    | PERM-6 |
        | absent      | false  | is not | allow-all   | has not | ask      | PERM-4 |
        | absent      | false  | is not | allow-all   | has     | allow    | PERM-6 |
        | absent      | absent | is not | ask         | has not | ask      | PERM-4 |
        | absent      | absent | is not | ask         | has     | allow    | PERM-6 |
        | absent      | absent | is not | allow-reads | has not | ask      | PERM-4 |
        | absent      | absent | is not | allow-reads | has     | allow    | PERM-6 |
        | absent      | absent | is not | allow-all   | has not | ask      | PERM-4 |
        | absent      | absent | is not | allow-all   | has     | allow    | PERM-6 |
        | absent      | "yes"  | is not | ask         | has not | ask      | PERM-4 |
        | absent      | "yes"  | is not | ask         | has     | allow    | PERM-6 |
        | absent      | "yes"  | is not | allow-reads | has not | ask      | PERM-4 |
        | absent      | "yes"  | is not | allow-reads | has     | allow    | PERM-6 |
        | absent      | "yes"  | is not | allow-all   | has not | ask      | PERM-4 |
        | absent      | "yes"  | is not | allow-all   | has     | allow    | PERM-6 |
