Feature: What is not ours in the settings file

  @CFG-2
  Rule: Every other section and every unknown key survives a save unchanged

    Background:
      Given a file ".imurun/settings.json" with:
        """
        {"theme" : "dark", "zoom": 1.10, "ids": [9007199254740993, 1E2],
          "mcp": { "note": "mine", "servers": [
            {"id": "a" , "mine": {"x":1.0,"x":2}, "command":"x"},
            {"id":"b","command":"y"} ]},
        "last" : "\u00e9" }
        """

    Scenario: One field is changed
      When a person saves the server:
        """
        {"id": "a", "command": "z"}
        """
      Then the file ".imurun/settings.json" is:
        """
        {"theme" : "dark", "zoom": 1.10, "ids": [9007199254740993, 1E2],
          "mcp": { "note": "mine", "servers": [
            {"id": "a" , "mine": {"x":1.0,"x":2}, "command":"z"},
            {"id":"b","command":"y"} ]},
        "last" : "\u00e9" }
        """

    Scenario: A server goes
      When a person removes the server "b"
      Then the file ".imurun/settings.json" is:
        """
        {"theme" : "dark", "zoom": 1.10, "ids": [9007199254740993, 1E2],
          "mcp": { "note": "mine", "servers": [
            {"id": "a" , "mine": {"x":1.0,"x":2}, "command":"x"} ]},
        "last" : "\u00e9" }
        """

    Scenario: A server comes, written as its neighbours are
      When a person saves the server:
        """
        {"id": "c", "url": "https://example.com/mcp"}
        """
      Then the file ".imurun/settings.json" contains:
        """
            {"id":"b","command":"y"},
            {
        """
      And the file ".imurun/settings.json" contains:
        """
        {"theme" : "dark", "zoom": 1.10, "ids": [9007199254740993, 1E2],
          "mcp": { "note": "mine", "servers": [
            {"id": "a" , "mine": {"x":1.0,"x":2}, "command":"x"},
        """

    Scenario: A save that changes nothing writes nothing
      When a person saves the server:
        """
        {"id": "b", "command": "y", "enabled": true, "timeout": 60}
        """
      Then the file ".imurun/settings.json" contains:
        """
            {"id":"b","command":"y"} ]},
        """
