Feature: @modelcontextprotocol/server-pdf 2.0.4

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "PDF Server" version "2.0.0"
    When the host lists the tools
    Then there are 9 tools
    And the tool "display_pdf" has "/_meta/ui~1resourceUri" equal to "ui://pdf-viewer/mcp-app.html"

  Scenario: It has no files
    When the host calls the tool "list_pdfs"
    Then the result is "Any remote PDF accessible via HTTPS can also be loaded dynamically."
    And the structured content has "/localFiles" equal to []

  Scenario: A file that is not on its list is refused
    When the host calls the tool "read_pdf_bytes" with:
      | url       | file:///nowhere.pdf |
      | offset    | 0                   |
      | byteCount | 10                  |
    Then the call fails with a text that contains "Local file not in allowed list: /nowhere.pdf"
