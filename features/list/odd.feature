@LIST-3
Feature: A listing that is not as it should be

  Scenario Outline: The cursor <second> after <first> ends the listing, on <transport>
    Given a server on <transport> that answers:
      """
      tools/list  {"tools":[{"name":"one"}],"nextCursor":<first>}
      tools/list  {"tools":[{"name":"two"}],"nextCursor":<second>}
      """
    And the server is started
    When the host lists the tools
    Then there are <tools> tools
    And the server has received <asked> "tools/list" messages
    And the status notes <notes>

    Examples:
      | transport | first | second | tools | asked | notes                                                    |
      | stdio     | "a"   | "a"    | 2     | 2     | "a cursor that had been seen before ended the listing"   |
      | stdio     | "a"   | ""     | 2     | 2     | nothing                                                  |
      | stdio     | "a"   | null   | 2     | 2     | nothing                                                  |
      | stdio     | "a"   | 7      | 2     | 2     | "a cursor that is no string ended the listing"           |
      | stdio     | ""    | "a"    | 1     | 1     | nothing                                                  |
      | HTTP      | "a"   | "a"    | 2     | 2     | "a cursor that had been seen before ended the listing"   |
      | HTTP      | "a"   | ""     | 2     | 2     | nothing                                                  |

  Scenario: Tools that are none are skipped
    Given a server that answers:
      """
      tools/list  {"tools":[{"description":"nameless"},{"name":""},null,7,{"name":"echo"},{"name":"echo","description":"again"}]}
      """
    And the server is started
    When the host lists the tools
    Then the tools are:
      | echo |
    And the status notes "a tool without a name was skipped"
    And the tool "echo" is described as ""

  Scenario Outline: A schema such as <schema> counts as an object with no properties, on <transport>
    Given a server on <transport> that answers:
      """
      tools/list  {"tools":[{"name":"echo"<schema>}]}
      """
    And the server is started
    When the host lists the tools
    Then the input schema of the tool "echo" is:
      """
      {"type":"object","properties":{}}
      """

    Examples:
      | transport | schema                |
      | stdio     |                       |
      | stdio     | ,"inputSchema":null   |
      | HTTP      | ,"inputSchema":null   |

  Scenario: A list that the server does not know is empty
    Given a server that answers:
      """
      tools/list  error {"code":-32601,"message":"method not found"}
      """
    And the server is started
    When the host lists the tools
    Then there are 0 tools
    And the session stands
