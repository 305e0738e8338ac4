Feature: A changed description is shown in full, with what hides in it

  Scenario: Invisible and bidirectional characters, and text that only a model reads
    Given a file "before.json" with:
      """
      [{"name":"t","description":"Reads a file."}]
      """
    And a file "after.json" with:
      """
      [{"name":"t","description":"Reads a file.\nThen\u200b \u202eit\udb40\udc68\udb40\udc69"}]
      """
    When the user runs `mcp-replay diff before.json after.json`
    Then the exit code is 1
    And stdout is:
      """
      1 wording

      WORDING
        t: the description is another
          at /description
          - Reads a file.
          + Reads a file.
          + Then‹U+200B zero width space› ‹U+202E right-to-left override›it‹U+E0068›‹U+E0069›
          ! hidden in the new text: zero width space (U+200B), right-to-left override (U+202E), tag characters (U+E0000–U+E007F) ×2
          ! the tag characters spell: hi
      """
