Feature: Tools that the settings approve

  @CFG-8
  Rule: auto_approve lists tools by the name the server gives them, exactly, case and all

    Scenario: Only the name itself counts
      Given the settings have the servers:
        """
        {"id": "a", "command": "x", "auto_approve": ["Read.File", "mcp_a_other"]}
        """
      And the server "a" offers the tools:
        """
        Read.File
        read.file
        Read.File2
        other
        """
      When the host connects "a"
      Then the decision on "mcp_a_read_file" is allow, by PERM-2
      And the decision on "mcp_a_read_file_2" is ask, by PERM-4
      And the decision on "mcp_a_read_file2" is ask, by PERM-4
      And the decision on "mcp_a_other" is ask, by PERM-4

    Scenario: From the command line
      Given the settings have the servers:
        """
        {"id": "a", "command": "x"}
        """
      When the user runs `mcp-replay servers approve a read_file Write.File`
      Then the server "a" has "/auto_approve" equal to ["Write.File", "read_file"]
      When the user runs `mcp-replay servers approve a Write.File --withdraw`
      Then the server "a" has "/auto_approve" equal to ["read_file"]

  @CFG-7
  Rule: Servers are turned on and off from the command line

    Scenario: Off and on again
      Given the settings have the servers:
        """
        {"id": "a", "command": "x"}
        """
      When the user runs `mcp-replay servers disable a`
      Then the server "a" has "/enabled" equal to false
      When the user runs `mcp-replay servers enable a`
      Then the server "a" has "/enabled" equal to true
