@CALL-13
Feature: Arguments are coerced to the tool's schema

  Scenario Outline: <given> where the schema is <schema> → <sent>, on <transport>
    Given a server on <transport> that answers:
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
      | transport | given       | schema                         | sent      |
      | stdio     | "5"         | {"type":"integer"}             | 5         |
      | stdio     | "-5"        | {"type":"integer"}             | -5        |
      | stdio     | "2.5"       | {"type":"number"}              | 2.5       |
      | stdio     | "true"      | {"type":"boolean"}             | true      |
      | stdio     | "false"     | {"type":"boolean"}             | false     |
      | stdio     | 5           | {"type":"string"}              | "5"       |
      | stdio     | true        | {"type":"string"}              | "true"    |
      | stdio     | "[1,2]"     | {"type":"array"}               | [1,2]     |
      | stdio     | "{\"a\":1}" | {"type":"object"}              | {"a":1}   |
      | HTTP      | "5"         | {"type":"integer"}             | 5         |
      | HTTP      | 5           | {"type":"string"}              | "5"       |
      | HTTP      | "{\"a\":1}" | {"type":"object"}              | {"a":1}   |

    Examples: What cannot is sent as it is
      | transport | given       | schema                         | sent      |
      | stdio     | "five"      | {"type":"integer"}             | "five"    |
      | stdio     | "yes"       | {"type":"boolean"}             | "yes"     |
      | stdio     | "[1,"       | {"type":"array"}               | "[1,"     |
      | stdio     | "5"         | {"type":"string"}              | "5"       |
      | stdio     | "5"         | {}                             | "5"       |
      | stdio     | "5"         | {"type":["string","integer"]}  | "5"       |
      | stdio     | null        | {"type":"integer"}             | null      |
      | HTTP      | "five"      | {"type":"integer"}             | "five"    |

  Scenario: A tool that has not been listed gets what is given
    Given a server with the defaults of a fake
    And the server is started
    When the host calls the tool "set" with:
      """
      {"v":"5"}
      """
    Then the call succeeds
    And the server receives "tools/call" with "/params/arguments/v" equal to "5"
