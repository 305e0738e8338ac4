@whole
Feature: Every way in which a scenario can end

  Background:
    Given a step that passes

  Scenario: passes
    Then a step that passes

  Scenario: fails in the middle
    When a step that fails with "no paper"
    Then a step that passes
    And a step that nobody wrote
    And a step that is written twice

  Scenario: has an undefined step
    When a step that nobody wrote
    Then a step that passes

  Scenario: has an ambiguous step
    When a step that is written twice
    Then a step that passes

  Scenario: has a pending step
    When a step that is pending
    Then a step that passes
    And a step that fails with "never reached"

  Scenario: panics
    When a step that panics
    Then a step that passes

  Scenario: leaves a failure unmentioned
    When a step that leaves a notice

  Scenario: mentions the failure
    When a step that leaves a notice
    Then a step that mentions it

  Scenario: fails at its end
    When a step whose clean-up fails

  Scenario: panics at its end
    When a step whose clean-up panics

  Scenario: gives a docstring to a step that takes none
    When a step that passes
      """
      ignored by godog
      """

  Scenario: gives no docstring to a step that wants one
    When a step that takes text:

  Scenario: gives a table to a step that wants a docstring
    When a step that takes text:
      | a |

  Scenario: gives what the steps take
    When a step that takes text:
      """
      text
      """
    And a step that takes rows:
      | a | b |
      | 1 | 2 |
    And a step that takes 3, 1.5, 200 ms and "text"

  Scenario: captures what is no number
    When a step that takes 99999999999999999999, 1.5, 200 ms and "text"

  Scenario Outline: an example that <does>
    Then a step that <does>

    @row
    Examples: of each kind
      | does                       |
      | passes                     |
      | fails with "the row's own" |
      | nobody wrote               |

  @ruled
  Rule: A rule has a background of its own

    Background:
      Given a step that is pending

    Scenario: waits for the background
      Then a step that passes

  @ruled @kept
  Rule: A rule's tags are those of its scenarios

    Scenario: passes in a rule
      * a step that passes
      But a step that passes
