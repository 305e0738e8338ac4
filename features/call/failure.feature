Feature: A call that fails

  @CALL-7
  Rule: isError is a failed tool result with the server's text

    Scenario Outline: isError <value>, on <transport>: the call <outcome>
      Given a server on <transport> that answers:
        """
        tools/call  {"content":[{"type":"text","text":"out of paper"}],"isError":<value>}
        """
      And the server is started
      When the host calls the tool "print"
      Then the call <outcome>

      Examples:
        | value | transport | outcome                        |
        | true  | stdio     | fails with "out of paper"      |
        | true  | HTTP      | fails with "out of paper"      |
        | false | stdio     | succeeds                       |
        | false | HTTP      | succeeds                       |

    Scenario: A failed result may have any content
      Given a server that answers:
        """
        tools/call  {"isError":true,"content":[],"structuredContent":{"reason":"paper"}}
        """
      And the server is started
      When the host calls the tool "print"
      Then the call fails with:
        """
        {"reason":"paper"}
        """

  @CALL-8
  Rule: A JSON-RPC error is a failed tool result with its code and message

    Scenario Outline: Unknown tool, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  error {"code":-32602,"message":"Unknown tool: nope","data":{"tools":["echo"]}}
        """
      And the server is started
      When the host calls the tool "nope"
      Then the call fails with "Unknown tool: nope (code -32602)"
      And the call fails with the code -32602

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

    Scenario: The call after it is none the worse
      Given a server that answers:
        """
        tools/call  error {"code":-32000,"message":"not now"}
        tools/call  {"content":[{"type":"text","text":"now"}]}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the call fails with "not now (code -32000)"
      When the host calls the tool "echo"
      Then the result is "now"
