Feature: The demo notebook comes from a cassette, too

  Scenario: A scenario may name its own cassette
    Given the cassette "cassettes/server/notes/a-note-is-written-and-read.jsonl" is played
    Then the server is "mcp-replay-demo"
    And 2 recorded messages are left unplayed
    When the host calls the tool "add_note" with:
      | text  | A tree house |
      | title | Ideas        |
    Then the call succeeds
    And 1 recorded message is left unplayed

  Scenario: Any request may be sent
    Given the server is started
    When the host sends the request "ping"
    Then the answer is:
      """
      {}
      """
