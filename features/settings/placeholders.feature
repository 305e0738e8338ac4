Feature: Placeholders

  @CFG-11 @CFG-10
  Rule: They are filled in when connecting, in every field and in one pass; what is stored stays

    Background:
      Given the program's own folder is "/the/repo"
      And the host's environment has FX_A set to "v-one"
      And the host's environment has FX_B set to "holds ${env:FX_A} and $HOME"
      And the host's environment has FX_EMPTY set to ""

    Scenario: A server on stdio
      Given the settings have the servers:
        """
        {"id": "s", "command": "${env:FX_A}-bin", "cwd": "/tmp/${env:FX_A}",
         "args": ["--k=${env:FX_A}", "${env:FX_B}", "${home} ${repo}", "$${env:FX_A} $HOME $", "${env:FX_EMPTY}"],
         "env": {"T": "x${env:FX_A}y"}}
        """
      When the server "s" is about to be connected
      Then the connection is given "/command" equal to "v-one-bin"
      And the connection is given "/cwd" equal to "/tmp/v-one"
      And the connection is given "/env" equal to {"T": "xv-oney"}
      And the connection is given "/args/0" equal to "--k=v-one"
      And the connection is given "/args/1" equal to "holds ${env:FX_A} and $HOME"
      And the connection is given "/args/2" equal to "{dir}/.imurun /the/repo"
      And the connection is given "/args/3" equal to "${env:FX_A} $HOME $"
      And the connection is given "/args/4" equal to ""
      And the server "s" has "/command" equal to "${env:FX_A}-bin"

    Scenario: A server on http
      Given the settings have the servers:
        """
        {"id": "h", "url": "http://127.0.0.1:1/${env:FX_A}/mcp", "headers": {"Authorization": "Bearer ${env:FX_A}"}}
        """
      When the server "h" is about to be connected
      Then the connection is given "/url" equal to "http://127.0.0.1:1/v-one/mcp"
      And the connection is given "/headers" equal to {"Authorization": "Bearer v-one"}

    Scenario Outline: The folder "<cwd>" is <folder>
      Given the settings have the servers:
        """
        {"id": "s", "command": "x", "cwd": "<cwd>"}
        """
      When the server "s" is about to be connected
      Then the connection is given "/cwd" equal to "<folder>"

      Examples: An empty cwd is the program's own folder
        | cwd     | folder        |
        |         | /the/repo     |
        | ${repo} | /the/repo     |
        | sub     | /the/repo/sub |
        | /abs    | /abs          |

  @CFG-12
  Rule: A ${env:NAME} that is not set fails the connect with a message that names NAME and the field

    Scenario Outline: In <field>
      Given the settings have the servers:
        """
        <server>
        """
      When the host connects "a"
      Then connecting fails with "server a: <field>: the environment variable NOT_SET is not set"

      Examples:
        | field           | server                                                                        |
        | command         | {"id": "a", "command": "${env:NOT_SET}"}                                      |
        | args[1]         | {"id": "a", "command": "x", "args": ["y", "--k=${env:NOT_SET}"]}              |
        | env.K           | {"id": "a", "command": "x", "env": {"K": "${env:NOT_SET}"}}                   |
        | cwd             | {"id": "a", "command": "x", "cwd": "${env:NOT_SET}"}                          |
        | url             | {"id": "a", "url": "https://h/${env:NOT_SET}"}                                |
        | headers.X-Key   | {"id": "a", "url": "https://h/", "headers": {"X-Key": "${env:NOT_SET}"}}      |

  @CFG-13
  Rule: Any other ${…} is refused when saved, with the known ones named

    Scenario Outline: <text> is refused
      When a person saves the server:
        """
        {"id": "a", "command": "x", "args": ["<text>"]}
        """
      Then the save is refused, for "server a: args[0]: <why> ${python}, ${repo}, ${home} and ${env:NAME}; $${ stands for a literal ${"

      Examples:
        | text            | why                                                     |
        | ${HOME}         | unknown placeholder ${HOME}; known are                  |
        | ${env:}         | unknown placeholder ${env:}; known are                  |
        | ${env:A:-b}     | unknown placeholder ${env:A:-b}; known are              |
        | ${input:key}    | unknown placeholder ${input:key}; known are             |
        | a ${open        | a placeholder begins with ${ and has no }; known are    |
        | ${}             | ${} is no placeholder; known are                        |

    Scenario: What may be a secret is not repeated
      When a person saves the server:
        """
        {"id": "a", "command": "x", "env": {"K": "pa${ss}word"}}
        """
      Then the save is refused, for "server a: env.K: unknown placeholder; known are ${python}, ${repo}, ${home} and ${env:NAME}; $${ stands for a literal ${"
