Feature: Each scenario has a world of its own

  Scenario: A file of the scenario's own
    Given a file "notes/one.txt" with:
      """
      first
      """
    Then the file "notes/one.txt" is:
      """
      first
      """
    And the file "notes/one.txt" has 1 line

  Scenario: A file of another scenario is not there
    Then there is no file "notes/one.txt"
