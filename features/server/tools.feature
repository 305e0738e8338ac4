Feature: The demo notebook lists its tools

  Background:
    Given the server is started
    When the host lists the tools

  Scenario: A tool of every kind
    Then there are 13 tools
    And the tools are:
      | add_note       |
      | attach_note    |
      | attach_scan    |
      | bind_notebook  |
      | count_notes    |
      | delete_note    |
      | link_note      |
      | list_notes     |
      | open_archive   |
      | print_notebook |
      | read_diary     |
      | read_note      |
      | show_sketch    |

  Scenario: What a tool says of itself
    Then the tool "add_note" is described as "Writes a note, over an older one of the same title."
    And the tool "add_note" has "/title" equal to "Add a note"
    And the tool "add_note" takes:
      | title | string |
      | text  | string |
    And the tool "add_note" requires:
      | title |
      | text  |
    And the input schema of the tool "bind_notebook" has "/properties/pages/maximum" equal to 1000
    And the output schema of the tool "count_notes" is:
      """
      {"type":"object","properties":{"notes":{"type":"integer"},"characters":{"type":"integer"}},"required":["notes","characters"]}
      """

  Scenario: What a tool may do
    Then the tool "read_note" is read-only
    And the tool "delete_note" is destructive
    And the tool "add_note" is not read-only
    And the tool "add_note" is not destructive
