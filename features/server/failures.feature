Feature: The demo notebook says what went wrong

  Background:
    Given the server is started

  Scenario: The tool fails
    When the host calls the tool "read_diary"
    Then the call fails with "the diary is locked"

  Scenario: There is no such note
    When the host calls the tool "read_note" with:
      | title | Secrets |
    Then the call fails with:
      """
      no note is named "Secrets"
      """

  Scenario: There is no such tool
    When the host calls the tool "burn_notebook"
    Then the call fails with a text that contains "burn_notebook"
    And the call fails with the code -32602

  Scenario: There is no such request
    When the host sends the request "notebook/burn" with:
      | slowly | true |
    Then the call fails
