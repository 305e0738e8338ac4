Feature: Calls that wait for a person

  Background:
    Given a server that answers:
      """
      tools/list  {"tools":[{"name":"echo","title":"Echo","description":"Says it again."},{"name":"wipe","annotations":{"destructiveHint":true}}]}
      tools/call  {"content":[{"type":"text","text":"hi"}],"structuredContent":{"said":"hi"}}
      """
    And the settings have the fake server as "a"

  @PERM-6 @PERM-10 @API-4
  Rule: A call that the policy asks about waits for the answer of a person

    Scenario: It is allowed
      Given the user serves with `mcp-replay serve`
      And a client sends POST /api/mcp/servers/a/connect
      And a client listens to the events
      When a client begins to send POST /api/mcp/tools/mcp_a_echo/call with:
        """
        {"arguments":{"text":"hi"}}
        """
      Then the approvals are "/approvals/0/arguments" equal to {"text":"hi"}
      And the approvals are "/approvals/0/name" equal to "mcp_a_echo"
      And the approvals are "/approvals/0/description" equal to "Says it again."
      And the approvals are "/approvals/0/rule" equal to "PERM-4"
      And the approvals are "/approvals/0/mayRemember" equal to true
      When a person allows what is asked
      Then the host answers 204
      And the request that was begun is answered 200, with "/failed" equal to false
      And the request that was begun is answered 200, with "/text" equal to "hi"
      And the request that was begun is answered 200, with "/structured" equal to {"said":"hi"}
      And the request that was begun is answered 200, with "/rule" equal to "PERM-4"
      And the approvals are "/approvals" equal to []
      And the client has got the events:
        """
        mcp.approval {"id":"1","status":"pending","server":"a","name":"mcp_a_echo"}
        mcp.approval {"id":"1","status":"allowed","server":"a","name":"mcp_a_echo"}
        """

    Scenario: It is refused
      Given the user serves with `mcp-replay serve`
      When a client begins to send POST /api/mcp/tools/mcp_a_echo/call with:
        """
        {}
        """
      And a person refuses what is asked
      Then the request that was begun is answered 200, with "/failed" equal to true
      And the request that was begun is answered 200, with "/text" equal to "mcp_a_echo was not called: it was asked for and refused; the server does not say that this tool only reads (PERM-4)"
      And the server has received 0 "tools/call" messages

    Scenario: The answer is remembered, and the next call runs
      Given the user serves with `mcp-replay serve`
      When a client begins to send POST /api/mcp/tools/mcp_a_echo/call with:
        """
        {}
        """
      And a person allows and remembers what is asked
      Then the request that was begun is answered 200, with "/text" equal to "hi"
      When a client sends POST /api/mcp/tools/mcp_a_echo/call
      Then the host answers 200
      And the host's answer has "/text" equal to "hi"
      And the host's answer has "/rule" equal to "PERM-6"

    @PERM-5
    Scenario: For a tool that can destroy it is not remembered
      Given the user serves with `mcp-replay serve`
      When a client begins to send POST /api/mcp/tools/mcp_a_wipe/call with:
        """
        {}
        """
      And the approvals are "/approvals/0/mayRemember" equal to false
      And a person allows and remembers what is asked
      Then the request that was begun is answered 200, with "/rule" equal to "PERM-1"
      When a client sends GET /api/mcp/servers/a/tools
      Then the host's answer has "/tools/1/decision" equal to "ask"

  @API-4
  Rule: A call that nobody answers is refused after the time that --approval-timeout states

    Scenario: The time is over
      Given the user serves with `mcp-replay serve --approval-timeout 1`
      And a client sends POST /api/mcp/servers/a/connect
      And a client listens to the events
      When a client sends POST /api/mcp/tools/mcp_a_echo/call
      Then the host answers 200
      And the host's answer has "/failed" equal to true
      And the host's answer has "/text" equal to "mcp_a_echo was not called: it was asked for, and nobody answered in time; the server does not say that this tool only reads (PERM-4)"
      And the client has got the events:
        """
        mcp.approval {"id":"1","status":"pending","server":"a","name":"mcp_a_echo"}
        mcp.approval {"id":"1","status":"expired","server":"a","name":"mcp_a_echo"}
        """
      When a client sends GET /api/mcp/host
      Then the host answers 200
      And the host's answer has "/approvalSeconds" equal to 1

    Scenario: The caller gives up
      Given the user serves with `mcp-replay serve`
      And a client sends POST /api/mcp/servers/a/connect
      And a client listens to the events
      When a client begins to send POST /api/mcp/tools/mcp_a_echo/call with:
        """
        {}
        """
      And the approvals are "/approvals/0/tool" equal to "echo"
      And the client gives the request up
      Then the client has got the events:
        """
        mcp.approval {"id":"1","status":"pending","server":"a","name":"mcp_a_echo"}
        mcp.approval {"id":"1","status":"withdrawn","server":"a","name":"mcp_a_echo"}
        """
      And the approvals are "/approvals" equal to []
