Feature: The demo notebook answers with every kind of content

  Background:
    Given the server is started

  Scenario: An image and a sound
    When the host calls the tool "show_sketch"
    Then the result is:
      """
      [image: image/png, 571 bytes, not shown]
      [audio: audio/wav, 444 bytes, not shown]
      """
    And the answer has "/content/0/mimeType" equal to "image/png"

  Scenario: An embedded text
    When the host calls the tool "attach_note" with:
      | title | Groceries |
    Then the result is "Milk, bread, apples."

  Scenario: An embedded file
    When the host calls the tool "attach_scan"
    Then the result is "[resource: note:///scan, application/octet-stream, 256 bytes, not shown]"

  Scenario: A link
    When the host calls the tool "link_note" with:
      | title | Birthdays |
    Then the result is "[resource link: Birthdays, note:///Birthdays, text/plain]"

  Scenario: Structured content alone
    When the host calls the tool "count_notes"
    Then the result is:
      """
      {"notes":2,"characters":56}
      """

  Scenario: A text that is too long
    When the host calls the tool "print_notebook"
    Then the result has 12000 characters
    And the result contains "[cut: 40000 characters in all]"
