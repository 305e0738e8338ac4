@CALL-13
Feature: Arguments are coerced to the tool's schema

  Scenario Outline: <given> where the schema is <schema> → <sent>
    Given a server that answers:
      """
      tools/list  {"tools":[{"name":"set","inputSchema":{"type":"object","properties":{"v":<schema>}}}]}
      """
    And the server is started
    And the host lists the tools
    When the host calls the tool "set" with:
      """
      {"v":<given>}
      """
    Then the call succeeds
    And the server receives "tools/call" with "/params/arguments/v" equal to <sent>

    Examples: What can be coerced
      | given       | schema                         | sent      |
      | "5"         | {"type":"integer"}             | 5         |
      | "-5"        | {"type":"integer"}             | -5        |
      | "2.5"       | {"type":"number"}              | 2.5       |
      | "true"      | {"type":"boolean"}             | true      |
      | "false"     | {"type":"boolean"}             | false     |
      | 5           | {"type":"string"}              | "5"       |
      | true        | {"type":"string"}              | "true"    |
      | "[1,2]"     | {"type":"array"}               | [1,2]     |
      | "{\"a\":1}" | {"type":"object"}              | {"a":1}   |

    Examples: What cannot is sent as it is
      | given       | schema                         | sent      |
      | "five"      | {"type":"integer"}             | "five"    |
      | "yes"       | {"type":"boolean"}             | "yes"     |
      | "[1,"       | {"type":"array"}               | "[1,"     |
      | "5"         | {"type":"string"}              | "5"       |
      | "5"         | {}                             | "5"       |
      | "5"         | {"type":["string","integer"]}  | "5"       |
      | null        | {"type":"integer"}             | null      |

  Scenario: A tool that has not been listed gets what is given
    Given a server with the defaults of a fake
    And the server is started
    When the host calls the tool "set" with:
      """
      {"v":"5"}
      """
    Then the call succeeds
    And the server receives "tools/call" with "/params/arguments/v" equal to "5"
