Feature: The demo notebook keeps notes

  Background:
    Given the server is started

  Scenario: A note is written and read
    When the host calls the tool "add_note" with:
      | title | Ideas       |
      | text  | A tree house |
    Then the result is:
      """
      Added "Ideas".
      """
    When the host calls the tool "read_note" with:
      """
      {"title": "Ideas"}
      """
    Then the result is "A tree house"
    And the call takes less than 5 s

  Scenario: A note is written over
    When the host calls the tool "add_note" with:
      | title | Groceries |
      | text  | Rice.     |
    Then the result contains:
      """
      Replaced "Groceries"
      """
    When the host calls the tool "list_notes"
    Then the result is:
      """
      Groceries
      Birthdays
      """

  Scenario: A note is torn out
    When the host calls the tool "delete_note" with:
      | title | Birthdays |
    Then the call succeeds
    When the host calls the tool "count_notes"
    Then the structured content is:
      """
      {"notes":1,"characters":20}
      """
    And the structured content has "/notes" equal to 1

  Scenario: Two notes are read at once
    When the host makes these calls at once:
      | read_note  | {"title":"Groceries"} |
      | list_notes | {}                    |
    Then the results are:
      | Milk, bread, apples. |
      | Groceries\nBirthdays |
