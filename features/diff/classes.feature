Feature: Changes of tools have a class

  Scenario Outline: <class>: <what>
    Given a file "before.json" with:
      """
      {"tools":[{"name":"t",<before>}]}
      """
    And a file "after.json" with:
      """
      {"tools":[{"name":"t",<after>}]}
      """
    When the user runs `mcp-replay diff before.json after.json --format json --fail-on none`
    Then stdout as JSON has "/worst" equal to "<class>"

    Examples:
      | class      | what                                  | before                                             | after                                              |
      | breaking   | an argument is newly required         | "inputSchema":{"required":["a"]}                   | "inputSchema":{"required":["a","b"]}               |
      | breaking   | an argument is gone                   | "inputSchema":{"properties":{"a":{}}}              | "inputSchema":{"properties":{}}                    |
      | breaking   | a type takes less                     | "inputSchema":{"type":["string","null"]}           | "inputSchema":{"type":"string"}                    |
      | breaking   | a value is no longer taken            | "inputSchema":{"enum":["a","b"]}                   | "inputSchema":{"enum":["b"]}                       |
      | breaking   | the output is another                 | "outputSchema":{"type":"object"}                   | "outputSchema":{"type":"array"}                    |
      | permission | the destructive hint is dropped       | "annotations":{"destructiveHint":true}             | "annotations":{}                                   |
      | permission | the destructive hint is flipped       | "annotations":{"destructiveHint":true}             | "annotations":{"destructiveHint":false}            |
      | permission | it claims to read only                | "annotations":{}                                   | "annotations":{"readOnlyHint":true}                |
      | behaviour  | it is destructive now                 | "annotations":{}                                   | "annotations":{"destructiveHint":true}             |
      | behaviour  | an argument is new                    | "inputSchema":{}                                   | "inputSchema":{"properties":{"a":{}}}              |
      | behaviour  | a default is another                  | "inputSchema":{"default":1}                        | "inputSchema":{"default":2}                        |
      | wording    | a description is another              | "description":"a"                                  | "description":"b"                                  |
      | wording    | a description within is another       | "inputSchema":{"description":"a"}                  | "inputSchema":{"description":"b"}                  |
      | none       | required has another order            | "inputSchema":{"required":["a","b"]}               | "inputSchema":{"required":["b","a"]}               |
      | none       | enum has another order                | "inputSchema":{"enum":[1,2]}                       | "inputSchema":{"enum":[2,1]}                       |
      | none       | a union has another order             | "inputSchema":{"type":["string","null"]}           | "inputSchema":{"type":["null","string"]}           |
      | none       | additionalProperties true is absent   | "inputSchema":{"additionalProperties":true}        | "inputSchema":{}                                   |
      | none       | keys have another order               | "inputSchema":{"type":"object","title":"x"}        | "inputSchema":{"title":"x","type":"object"}        |

  Scenario: A small change at the top hides none below
    Given a file "before.json" with:
      """
      {"tools":[{"name":"t","title":"a","inputSchema":{"properties":{"q":{"properties":{"deep":{"type":"string"}}},"r":{"$ref":"#/$defs/X"}}}}]}
      """
    And a file "after.json" with:
      """
      {"tools":[{"name":"t","title":"b","inputSchema":{"properties":{"q":{"properties":{}},"r":{"$ref":"#/$defs/X"}}}}]}
      """
    When the user runs `mcp-replay diff before.json after.json`
    Then the exit code is 1
    And stdout is:
      """
      1 breaking, 1 wording

      BREAKING
        t: the property "deep" is gone
          at /inputSchema/properties/q/properties/deep

      WORDING
        t: the title is another
          at /title
          - a
          + b
      """

  Scenario: Tools that are gone, new, and listed in another order
    Given a file "before.json" with:
      """
      [{"name":"a"},{"name":"b"},{"name":"read_file"}]
      """
    And a file "after.json" with:
      """
      [{"name":"read-file"},{"name":"b"},{"name":"a"}]
      """
    When the user runs `mcp-replay diff before.json after.json`
    Then the exit code is 1
    And stdout is:
      """
      1 breaking, 1 behaviour

      BREAKING
        read_file: the tool is gone

      BEHAVIOUR
        read-file: the tool is new
          ! the name reads like that of the tool "read_file"
      """
