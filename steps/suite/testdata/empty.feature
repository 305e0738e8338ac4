Feature: A scenario without steps proves nothing

  Scenario: has no steps

  Scenario: has some
    Then a step that passes
