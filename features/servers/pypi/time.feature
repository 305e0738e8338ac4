Feature: mcp-server-time 2026.10.19

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "mcp-time" version "2026.10.19"
    When the host lists the tools
    Then the tools are:
      | convert_time     |
      | get_current_time |

  Scenario: It converts a time, on whatever day it is
    When the host calls the tool "convert_time" with:
      | source_timezone | Asia/Tokyo   |
      | time            | 12:00        |
      | target_timezone | Asia/Kolkata |
    Then the structured content has "/time_difference" equal to "-3.5h"
    When the host calls the tool "convert_time" with:
      | source_timezone | UTC        |
      | time            | 25:00      |
      | target_timezone | Asia/Tokyo |
    Then the call fails with "Error executing tool convert_time: Invalid time format. Expected HH:MM [24-hour format]"

  Scenario: A tool that it does not have
    When the host calls the tool "no_such_tool"
    Then the call fails with "Unknown tool: no_such_tool (code -32602)"
