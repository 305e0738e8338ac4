Feature: Tools are listed page by page

  @LIST-1
  Rule: tools/list follows nextCursor

    Scenario Outline: Three pages, on <transport>
      Given a server on <transport> that answers:
        """
        tools/list  {"tools":[{"name":"one"}],"nextCursor":"c-1"}
        tools/list  {"tools":[{"name":"two"}],"nextCursor":"{\"page\": 3}"}
        tools/list  {"tools":[{"name":"three"}]}
        """
      And the server is started
      When the host lists the tools
      Then the tools are:
        | one   |
        | two   |
        | three |
      And the server receives "tools/list" with "/params/cursor" equal to "c-1"
      And the server receives "tools/list" with "/params/cursor" equal to "{\"page\": 3}"
      And the server has received 3 "tools/list" messages

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

  @LIST-2
  Rule: At most 20 pages and 500 tools; what is over is left out, and the status says so

    Scenario Outline: <pages> pages of <each> tools → <tools> tools, <asked> pages asked, on <transport>
      Given a server on <transport> that answers:
        """
        tools/list  pages <pages> x <each>
        """
      And the server is started
      When the host lists the tools
      Then there are <tools> tools
      And the server has received <asked> "tools/list" messages
      And the status notes <notes>

      Examples:
        | transport | pages | each | tools | asked | notes                                                      |
        | stdio     | 20    | 25   | 500   | 20    | nothing                                                    |
        | stdio     | 1     | 500  | 500   | 1     | nothing                                                    |
        | stdio     | 21    | 10   | 200   | 20    | "more than 20 pages of tools: the rest was left out"       |
        | stdio     | 1     | 501  | 500   | 1     | "more than 500 tools: 1 were left out"                     |
        | stdio     | 3     | 300  | 500   | 2     | "more than 500 tools: 100 and what the pages after hold were left out" |
        | HTTP      | 21    | 10   | 200   | 20    | "more than 20 pages of tools: the rest was left out"       |
        | HTTP      | 3     | 300  | 500   | 2     | "more than 500 tools: 100 and what the pages after hold were left out" |
