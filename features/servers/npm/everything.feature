Feature: @modelcontextprotocol/server-everything 2026.8.31

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "mcp-servers/everything" version "2.0.0"
    And the session speaks protocol version "2025-06-18"
    And the server offers "tools/listChanged"
    And the server's instructions contain "Everything Server"

  Scenario: Its tools are on one page
    When the host lists the tools
    Then there are 13 tools
    And the tool "echo" takes:
      | message | string |
    And the input schema of the tool "echo" has "/$schema" equal to "http://json-schema.org/draft-07/schema#"

  @CALL-13
  Scenario: Arguments are coerced to the tool's schema
    When the host lists the tools
    And the host calls the tool "get-sum" with:
      """
      {"a": "2", "b": 3}
      """
    Then the result is "The sum of 2 and 3 is 5."

  Scenario: Arguments that do not fit are the server's to refuse
    When the host calls the tool "get-sum" with:
      | a | two |
    Then the call fails with:
      """
      MCP error -32602: Input validation error: Invalid arguments for tool get-sum: Invalid input: expected number, received string at a
      Invalid input: expected number, received undefined at b
      """

  Scenario: Structured content stands beside the text
    When the host calls the tool "get-structured-content" with:
      | location | New York |
    Then the result is:
      """
      {"temperature":33,"conditions":"Cloudy","humidity":82}
      """
    And the structured content has "/humidity" equal to 82

  @CALL-2 @CALL-4
  Scenario: Links, images and binary resources are described
    When the host calls the tool "get-resource-links" with:
      | count | 2 |
    Then the result is:
      """
      Here are 2 resource links to resources available in this server:
      [resource link: Blob Resource 1, demo://resource/dynamic/blob/1, text/plain]
      [resource link: Text Resource 2, demo://resource/dynamic/text/2, text/plain]
      """
    When the host calls the tool "get-tiny-image"
    Then the result is:
      """
      Here's the image you requested:
      [image: image/png, 4033 bytes, not shown]
      The image above is the MCP logo.
      """
    When the host calls the tool "gzip-file-as-resource" with:
      | name       | a.gz                  |
      | data       | data:text/plain,hello |
      | outputType | resource              |
    Then the result is "[resource: demo://resource/session/a.gz, application/gzip, 25 bytes, not shown]"

  Scenario: A slow tool tells its progress
    When the host calls the tool "trigger-long-running-operation", asking for progress, with:
      | duration | 1 |
      | steps    | 2 |
    Then the result is "Long running operation completed. Duration: 1 seconds, Steps: 2."
    And the progress is:
      | progress | total |
      | 1        | 2     |
      | 2        | 2     |

  @CALL-7
  Scenario: A tool that it does not have is a failed result
    When the host calls the tool "no-such-tool"
    Then the call fails with "MCP error -32602: Tool no-such-tool not found"
