@CALL-5
Feature: Structured content stands in where a result has no text

  Scenario Outline: <content> and <structured> → <text>, on <transport>
    Given a server on <transport> that answers:
      """
      tools/call  {"content":<content>,"structuredContent":<structured>}
      """
    And the server is started
    When the host calls the tool "echo"
    Then the result is:
      """
      <text>
      """

    Examples:
      | transport | content                                                         | structured                       | text                           |
      | stdio     | []                                                              | { "b" : 1, "a" : [ true, null ] } | {"b":1,"a":[true,null]}       |
      | stdio     | []                                                              | {"n":9007199254740993,"x":1.0}   | {"n":9007199254740993,"x":1.0} |
      | stdio     | [{"type":"text","text":"said"}]                                 | {"a":1}                          | said                           |
      | stdio     | [{"type":"resource","resource":{"uri":"a:b","text":"inlined"}}] | {"a":1}                          | inlined                        |
      | HTTP      | []                                                              | {"n":9007199254740993,"x":1.0}   | {"n":9007199254740993,"x":1.0} |
      | HTTP      | [{"type":"text","text":"said"}]                                 | {"a":1}                          | said                           |

  Scenario: It stands before the lines of the other parts
    Given a server that answers:
      """
      tools/call  {"structuredContent":{"a":1},"content":[{"type":"image","mimeType":"image/png","data":"AAEC"}]}
      """
    And the server is started
    When the host calls the tool "echo"
    Then the result is:
      """
      {"a":1}
      [image: image/png, 3 bytes, not shown]
      """
    And the structured content has "/a" equal to 1
