@LIST-4
Feature: A list that changes is listed again

  Scenario: Two hundred notices make two listings at most
    Given a server that writes:
      """
      @@ANSWER initialize@@
      @@AFTER:ping@@{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
      @@REPEAT 200 {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":[]}
      @@
      @@SLEEP 100 ms@@
      @@ANSWER tools/list@@
      @@ANSWER ping@@
      @@ANSWER tools/list#2@@
      """
    And the host lists the tools again whenever they change
    And the server is started
    When the host pings the server
    Then the server has received 2 "tools/list" messages

  Scenario: A single notice makes one
    Given a server that writes:
      """
      @@ANSWER initialize@@
      @@AFTER:ping@@{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
      @@ANSWER ping@@
      @@ANSWER tools/list@@
      """
    And the host lists the tools again whenever they change
    And the server is started
    When the host pings the server
    Then the server notifies the host of "notifications/tools/list_changed"
    And the server has received 1 "tools/list" message

  Scenario: Over HTTP, two hundred notices on the stream for them
    Given an HTTP server with the exchanges:
      """
      GET -> 200 text/event-stream
        @@REPEAT 200 data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}

        @@
        @@HANG@@
      POST tools/list -> 200 application/json
        @@SLEEP 500 ms@@
        {"jsonrpc":"2.0","id":@@ID@@,"result":{"tools":[{"name":"echo"}]}}
      """
    And the host lists the tools again whenever they change
    And the server is started
    Then the server has had 2 "POST tools/list" requests
