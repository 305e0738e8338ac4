Feature: Saving the settings

  @CFG-14
  Rule: The file is written with mode 0600, its folder, when made, with 0700

    Scenario: A new file
      When a person saves the server:
        """
        {"id": "a", "command": "x"}
        """
      Then ".imurun/settings.json" has the mode 600
      And ".imurun" has the mode 700

  @CFG-15
  Rule: A save is atomic, and two processes that save at once lose neither's change

    Scenario: Programs that save at the same time
      When 3 programs save 8 servers each at the same time
      And the user runs `mcp-replay servers list`
      Then stdout contains "program-1-server-8"
      And stdout contains "program-2-server-8"
      And stdout contains "program-3-server-8"
      And the file ".imurun/settings.json" has 150 lines

    Scenario: A program that is killed while it saves
      Given a file ".imurun/settings.json" with:
        """
        {"theme": "dark", "mcp": {"servers": [{"id": "b", "command": "y"}]}}
        """
      When a program that saves is killed 60 times at random moments
      Then the server "b" can be used
      And the file ".imurun/settings.json" contains:
        """
        {"theme": "dark", "mcp": {"servers": [{"id": "b", "command": "y"}
        """
