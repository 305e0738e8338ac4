Feature: The environment of a server's process

  @CFG-19
  Rule: A child gets the parent's environment without credential-looking names, plus the server's own env

    Scenario Outline: <name>
      Given the settings have the servers:
        """
        {"id": "a", "command": "sh", "args": ["-c", "printenv > child.env"], "env": {"OWN_TOKEN": "given", "MODE": "own"}}
        """
      And the host's environment has <name> set to "from the host"
      When the host connects "a"
      Then connecting fails with a reason that contains "exited with code 0"
      And the file "child.env" contains:
        """
        OWN_TOKEN=given
        """
      And the file "child.env" contains:
        """
        MODE=own
        """
      And the file "child.env" <passed> "<name>=from the host"

      Examples: They look like credentials
        | name            | passed           |
        | FX_API_KEY      | does not contain |
        | fx_token        | does not contain |
        | FX_SECRETS      | does not contain |
        | FX_PASSWORD     | does not contain |
        | FX_PASSWD       | does not contain |
        | FX_PASSPHRASE   | does not contain |
        | FX_CREDENTIALS  | does not contain |
        | FX_AUTH         | does not contain |
        | FX_PAT          | does not contain |
        | MODE            | does not contain |

      Examples: They do not
        | name            | passed           |
        | FX_AUTHOR       | has the line     |
        | FX_PATTERN      | has the line     |
        | FX_MODE         | has the line     |

    Scenario: On the command line one variable is passed on
      Given the environment variable FX_API_KEY is "k-1"
      When the user runs `mcp-replay tools --env FX_API_KEY -- sh -c 'printenv > child.env'`
      Then the exit code is 3
      And the file "child.env" has the line "FX_API_KEY=k-1"
