@CALL-6
Feature: A result has 12 000 characters at most

  Scenario Outline: <number> × <character> → <characters> characters, <end>, on <transport>
    Given a server on <transport> that answers:
      """
      tools/call  {"content":[{"type":"text","text":"@@REPEAT <number> <character>@@"}]}
      """
    And the server is started
    When the host calls the tool "echo"
    Then the result has <characters> characters
    And the result contains "<end>"

    Examples: Characters are Unicode code points
      | transport | number | character | characters | end                            |
      | stdio     | 11999  | x         | 11999      | xxxx                           |
      | stdio     | 12000  | x         | 12000      | xxxx                           |
      | stdio     | 12000  | 🚀        | 12000      | 🚀🚀🚀                         |
      | stdio     | 12001  | x         | 12000      | [cut: 12001 characters in all] |
      | stdio     | 40000  | é         | 12000      | [cut: 40000 characters in all] |
      | HTTP      | 12000  | x         | 12000      | xxxx                           |
      | HTTP      | 12001  | x         | 12000      | [cut: 12001 characters in all] |

  Scenario: Joined parts count together
    Given a server that answers:
      """
      tools/call  {"content":[{"type":"text","text":"@@REPEAT 6000 x@@"},{"type":"text","text":"@@REPEAT 6000 y@@"}]}
      """
    And the server is started
    When the host calls the tool "echo"
    Then the result has 12000 characters
    And the result contains "[cut: 12001 characters in all]"
