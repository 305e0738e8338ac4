Feature: Tools whose names would be the same

  @NAME-2
  Rule: The order is that of the settings and of the listing, whoever connects first

    Background:
      Given the settings have the servers:
        """
        {"id": "foo-bar", "command": "x"}, {"id": "foo_bar", "command": "x"},
        {"id": "a", "command": "x"}, {"id": "a__b", "command": "x"}
        """
      And the server "foo-bar" offers the tools:
        """
        search
        x.y
        x_y
        """
      And the server "foo_bar" offers the tools:
        """
        search
        """
      And the server "a" offers the tools:
        """
        _b_c
        """
      And the server "a__b" offers the tools:
        """
        c
        """

    Scenario: All connect at once
      When the host is up
      Then the host offers the tools:
        | mcp_foo_bar_search   | foo-bar | search |
        | mcp_foo_bar_x_y      | foo-bar | x.y    |
        | mcp_foo_bar_x_y_2    | foo-bar | x_y    |
        | mcp_foo_bar_search_2 | foo_bar | search |
        | mcp_a__b_c           | a       | _b_c   |
        | mcp_a__b_c_2         | a__b    | c      |

    Scenario: A call reaches the server and the tool that the name stands for
      Given the person who is asked allows
      When the host is up
      Then the host offers 6 tools
      When the host calls "mcp_foo_bar_search_2"
      And the host calls "mcp_foo_bar_x_y_2"
      Then "foo_bar" has got the calls:
        | "search"{} |
      And "foo-bar" has got the calls:
        | "x_y"{} |

    Scenario: The tools of a later server wait for the earlier one's first attempt, where they could clash
      Given the server "foo-bar" hangs when it is connected
      When the host is up
      Then "foo_bar" is connected
      And the host offers the tools:
        | mcp_a__b_c   | a    | _b_c |
        | mcp_a__b_c_2 | a__b | c    |
      When a person disconnects "foo-bar"
      Then the host offers the tools:
        | mcp_foo_bar_search | foo_bar | search |
        | mcp_a__b_c         | a       | _b_c   |
        | mcp_a__b_c_2       | a__b    | c      |

    Scenario: And wait no longer where that attempt has failed
      Given the server "foo-bar" cannot be reached, for "gone"
      When the host is up
      Then the host offers the tools:
        | mcp_foo_bar_search | foo_bar | search |
        | mcp_a__b_c         | a       | _b_c   |
        | mcp_a__b_c_2       | a__b    | c      |

  @NAME-3
  Rule: A tool keeps its name as long as it is offered, whatever is listed beside it later

    Scenario: A tool that would have come first
      Given the server "one" offers the tools:
        """
        x.y
        x_y
        """
      When the host connects "one"
      And the server "one" changes its tools to:
        """
        x-y
        x_y
        x.y
        """
      Then the host offers the tools:
        | mcp_one_x_y_3 | one | x-y |
        | mcp_one_x_y_2 | one | x_y |
        | mcp_one_x_y   | one | x.y |

    Scenario: The name of a tool that is gone is not given to another
      Given the server "one" offers the tools:
        """
        x.y
        """
      When the host connects "one"
      And the server "one" changes its tools to:
        """
        x_y
        """
      Then the host offers the tools:
        | mcp_one_x_y_2 | one | x_y |
