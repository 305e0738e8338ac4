Feature: A settings file that cannot be read

  @CFG-2
  Rule: What cannot be parsed is named by line and column, and never written to

    Scenario Outline: <what>
      Given a file ".imurun/settings.json" with:
        """
        <text>
        """
      When the settings are loaded
      Then the load fails with:
        """
        {dir}/.imurun/settings.json:<place>
        """
      When the user runs `mcp-replay servers add a -- x`
      Then the exit code is 2
      And stderr contains:
        """
        settings.json:<place>
        """
      And the file ".imurun/settings.json" is:
        """
        <text>
        """

      Examples:
        | what                       | text                              | place                                                     |
        | A comma too many           | {"mcp": {"servers": [],}}         | 1:23: a comma stands before a closing bracket             |
        | The end is missing         | {"mcp": {                         | 2:1: ends too early                                       |
        | Nothing in it              |                                   | 2:1: is empty; it must hold a JSON object                 |
        | No object                  | []                                | 1:1: must hold a JSON object                              |
        | The section is a list      | {"mcp": []}                       | 1:9: the section "mcp" must be an object                  |
        | The servers are an object  | {"mcp": {"servers": {}}}          | 1:21: "servers" in the section "mcp" must be a list       |
        | The section stands twice   | {"mcp": {}, "mcp": {}}            | 1:20: the section "mcp" stands twice                      |

    Scenario: A byte-order mark is no fault, and stays
      Given a file ".imurun/settings.json" with:
        """
        ﻿{"mcp": {"servers": [{"id": "a", "command": "x"}]}}
        """
      When a person saves the server:
        """
        {"id": "a", "timeout": 5}
        """
      Then the server "a" has "/timeout" equal to 5
      And the file ".imurun/settings.json" is:
        """
        ﻿{"mcp": {"servers": [{"id": "a", "command": "x", "timeout": 5}]}}
        """
