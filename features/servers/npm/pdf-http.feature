Feature: @modelcontextprotocol/server-pdf 2.0.4, over HTTP

  Background:
    Given the server is started

  Scenario: It has fewer tools there
    Then the server is "PDF Server" version "2.0.0"
    When the host lists the tools
    Then there are 4 tools

  Scenario: It has no files
    When the host calls the tool "list_pdfs"
    Then the result is "Any remote PDF accessible via HTTPS can also be loaded dynamically."
