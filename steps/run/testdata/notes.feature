Feature: A small notebook

  Background:
    Given the server is started

  Scenario: The note is kept
    When the host calls "add_note" with:
      | title | shopping list |
      | text  | milk          |
    Then the result is "ok"
    And the text:
      """
      milk

      eggs
      """

  @slow
  Scenario: The note is lost
    Then the result is "gone"
    And the result is "ok"

  Rule: A note that is not there is a failed call

    Scenario: There is no such note
      Then the result is "ok"

    Scenario: The step is worded otherwise
      When the host calls the "add_note" with:
        | title | x |
      Then the result is "ok"

    Scenario Outline: The answer to <title> is <text>
      Then the result is "<text>"

      Examples:
        | title  | text |
        | first  | ok   |
        | second | gone |
