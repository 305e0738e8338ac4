@CALL-9
Feature: Whatever a server answers, the host gets a tool result

  Scenario Outline: <answer> → <text>
    Given a server that answers:
      """
      tools/call  <answer>
      """
    And the server is started
    When the host calls the tool "echo"
    Then the result is "<text>"
    And the session stands

    Examples: Results that are not what they should be
      | answer                                            | text                                                      |
      | {}                                                |                                                           |
      | null                                              |                                                           |
      | []                                                |                                                           |
      | 42                                                |                                                           |
      | {"content":null}                                  |                                                           |
      | {"content":"text"}                                |                                                           |
      | {"content":[null]}                                | [content that is no object, not shown]                    |
      | {"content":[{}]}                                  | [content without a type, 2 bytes of JSON, not shown]      |
      | {"content":[{"type":"hologram"}]}                 | [hologram: 19 bytes of JSON, not shown]                   |
      | {"content":[{"type":"text"}]}                     | [text: 15 bytes of JSON, not shown]                       |
      | {"content":[{"type":"image"}]}                    | [image: 0 bytes, not shown]                               |
      | {"content":[{"type":"resource"}]}                 | [resource: , 0 bytes, not shown]                          |
      | {"content":[],"content":[{"type":"text","text":"second"}]} | second                                           |
      | {"content":[{"type":"text","text":"\ud800"}]}     | �                                                         |
      | {"content":[{"type":"text","text":"ok"}],"isError":null} | ok                                                |

  Scenario Outline: An error such as <error> → <text>
    Given a server that answers:
      """
      tools/call  error <error>
      """
    And the server is started
    When the host calls the tool "echo"
    Then the call fails with a text that contains "<text>"

    Examples:
      | error                          | text     |
      | {"code":-32000,"message":""}   | -32000   |
      | {"code":"x","message":"why"}   | why      |
      | "out of paper"                 | paper    |
      | {}                             | error    |
