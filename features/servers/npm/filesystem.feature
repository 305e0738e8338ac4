Feature: @modelcontextprotocol/server-filesystem 2026.8.31

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "secure-filesystem-server" version "0.2.0"
    When the host lists the tools
    Then there are 14 tools
    And the tool "read_text_file" is read-only
    And the tool "write_file" is destructive

  Scenario: It reads what is there
    When the host calls the tool "list_directory" with:
      | path | /tmp/mcp-replay-interop/npm/filesystem |
    Then the result contains "[FILE] hello.txt"
    When the host calls the tool "read_text_file" with:
      | path | /tmp/mcp-replay-interop/npm/filesystem/hello.txt |
    Then the result is:
      """
      hello

      """

  @CALL-5
  Scenario: A media file is an image, and structured content stands before it
    When the host calls the tool "read_media_file" with:
      | path | /tmp/mcp-replay-interop/npm/filesystem/dot.gif |
    Then the result is:
      """
      {"content":[{"type":"image","data":"R0lGODlhOw==","mimeType":"image/gif"}]}
      [image: image/gif, 7 bytes, not shown]
      """

  Scenario: It writes and edits
    When the host calls the tool "write_file" with:
      """
      {"path": "/tmp/mcp-replay-interop/npm/filesystem/new.txt", "content": "one\n"}
      """
    Then the result is "Successfully wrote to /tmp/mcp-replay-interop/npm/filesystem/new.txt"
    When the host calls the tool "edit_file" with:
      """
      {"path": "/tmp/mcp-replay-interop/npm/filesystem/new.txt", "edits": [{"oldText": "one", "newText": "two"}]}
      """
    Then the result contains:
      """
      -one
      +two
      """

  Scenario: It keeps to its folder
    When the host calls the tool "read_text_file" with:
      | path | /etc/hostname |
    Then the call fails with a text that contains "Access denied - path outside allowed directories: /etc/hostname"
