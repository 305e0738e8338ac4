@CALL-9
Feature: Whatever a server answers, the host gets a tool result

  Scenario Outline: <answer> → <text>, on <transport>
    Given a server on <transport> that answers:
      """
      tools/call  <answer>
      """
    And the server is started
    When the host calls the tool "echo"
    Then the result is "<text>"
    And the session stands

    Examples: Results that are not what they should be
      | transport | answer                                            | text                                                      |
      | stdio     | {}                                                |                                                           |
      | stdio     | null                                              |                                                           |
      | stdio     | []                                                |                                                           |
      | stdio     | 42                                                |                                                           |
      | stdio     | {"content":null}                                  |                                                           |
      | stdio     | {"content":"text"}                                |                                                           |
      | stdio     | {"content":[null]}                                | [content that is no object, not shown]                    |
      | stdio     | {"content":[{}]}                                  | [content without a type, 2 bytes of JSON, not shown]      |
      | stdio     | {"content":[{"type":"hologram"}]}                 | [hologram: 19 bytes of JSON, not shown]                   |
      | stdio     | {"content":[{"type":"text"}]}                     | [text: 15 bytes of JSON, not shown]                       |
      | stdio     | {"content":[{"type":"image"}]}                    | [image: 0 bytes, not shown]                               |
      | stdio     | {"content":[{"type":"resource"}]}                 | [resource: , 0 bytes, not shown]                          |
      | stdio     | {"content":[],"content":[{"type":"text","text":"second"}]} | second                                           |
      | stdio     | {"content":[{"type":"text","text":"\ud800"}]}     | �                                                         |
      | stdio     | {"content":[{"type":"text","text":"ok"}],"isError":null} | ok                                                |
      | HTTP      | null                                              |                                                           |
      | HTTP      | 42                                                |                                                           |
      | HTTP      | {"content":[{"type":"hologram"}]}                 | [hologram: 19 bytes of JSON, not shown]                   |
      | HTTP      | {"content":[{"type":"text","text":"\ud800"}]}     | �                                                         |

  Scenario Outline: An error such as <error> → <text>, on <transport>
    Given a server on <transport> that answers:
      """
      tools/call  error <error>
      """
    And the server is started
    When the host calls the tool "echo"
    Then the call fails with a text that contains "<text>"

    Examples:
      | transport | error                          | text     |
      | stdio     | {"code":-32000,"message":""}   | -32000   |
      | stdio     | {"code":"x","message":"why"}   | why      |
      | stdio     | "out of paper"                 | paper    |
      | stdio     | {}                             | error    |
      | HTTP      | {"code":"x","message":"why"}   | why      |
      | HTTP      | "out of paper"                 | paper    |
