Feature: A tool that only reads

  @PERM-3 @PERM-6
  Rule: annotations.readOnlyHint: true asks under ask, and is allowed under allow-reads and allow-all

    Scenario Outline: <destructive>, <reads>, <listed> approved, <level>, <allowed> been allowed: <decision>
      Given the server "s" offers the tool "t" with the hints <destructive> and <reads>
      And a person <allowed> allowed the tool before, to be remembered
      And the tool <listed> in auto_approve
      And the policy is "<level>"
      When the host calls "mcp_s_t"
      Then the call meets <decision>, by <rule>

      Examples:
        | destructive | reads | listed | level       | allowed | decision | rule   |
        | false       | true  | is not | ask         | has not | ask      | PERM-3 |
        | false       | true  | is not | ask         | has     | allow    | PERM-6 |
        | false       | true  | is not | allow-reads | has not | allow    | PERM-3 |
        | false       | true  | is not | allow-reads | has     | allow    | PERM-3 |
        | false       | true  | is not | allow-all   | has not | allow    | PERM-3 |
        | false       | true  | is not | allow-all   | has     | allow    | PERM-3 |
        | absent      | true  | is not | ask         | has not | ask      | PERM-3 |
        | absent      | true  | is not | ask         | has     | allow    | PERM-6 |
        | absent      | true  | is not | allow-reads | has not | allow    | PERM-3 |
        | absent      | true  | is not | allow-reads | has     | allow    | PERM-3 |
        | absent      | true  | is not | allow-all   | has not | allow    | PERM-3 |
        | absent      | true  | is not | allow-all   | has     | allow    | PERM-3 |
