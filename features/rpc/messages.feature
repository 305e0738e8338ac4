@RPC-1
Feature: What a message is, is told by method, id, and result or error

  Rule: Our ids are integers from 1, and answers are matched by them

    Scenario Outline: Answers in the reverse order, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  after 200 ms {"content":[{"type":"text","text":"first"}]}
        tools/call  {"content":[{"type":"text","text":"second"}]}
        """
      And the server is started
      When the host makes these calls one behind the other:
        | echo |
        | echo |
      Then the results are:
        | first  |
        | second |
      And the server receives "initialize" with "/id" equal to 1
      And the server receives "tools/call" with "/id" equal to 2
      And the server receives "tools/call" with "/id" equal to 3

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

    Scenario: The same digits as a string match, and the status notes it
      Given a server that writes:
        """
        @@ANSWER initialize@@
        {"jsonrpc":"2.0","id":"@@IDTEXT:tools/call@@","result":{"content":[{"type":"text","text":"ok"}]}}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the status notes:
        """
        the server answers under the id "2" what was asked under 2
        """

    Scenario: The same digits as a string match over HTTP, too
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 application/json
          {"jsonrpc":"2.0","id":"@@IDTEXT@@","result":{"content":[{"type":"text","text":"ok"}]}}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the status notes:
        """
        the server answers under the id "2" what was asked under 2
        """

    Scenario Outline: An answer under the id <id> is nobody's
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@{"jsonrpc":"2.0","id":<id>,"result":{"content":[{"type":"text","text":"wrong"}]}}
        @@ANSWER tools/call@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"

      Examples:
        | id     |
        | 1      |
        | 3      |
        | 987654 |
        | -2     |
        | 02     |
        | 2.5    |
        | "02"   |
        | "2 "   |
        | "two"  |
        | null   |
        | true   |
        | [2]    |
        | {}     |

    Scenario Outline: An answer under the id <id> is nobody's over HTTP, either
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":<id>,"result":{"content":[{"type":"text","text":"wrong"}]}}

          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"ok"}]}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"

      Examples:
        | id     |
        | 1      |
        | 3      |
        | "02"   |
        | "two"  |
        | null   |
        | [2]    |

  Rule: A request of the server is one, whatever its id

    Scenario: The server asks under the id of a pending call
      Given a server that writes:
        """
        @@ANSWER initialize@@
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"method":"ping"}
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"method":"sampling/createMessage","params":{}}
        @@ANSWER tools/call@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server receives:
        """
        {"jsonrpc":"2.0","id":2,"result":{}}
        """
      And the server receives an answer to 2 with "/error/code" equal to -32601

    Scenario: The server asks under the id of a pending call, over HTTP
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":@@ID@@,"method":"ping"}

          data: {"jsonrpc":"2.0","id":@@ID@@,"method":"roots/list"}

          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"ok"}]}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server receives:
        """
        {"jsonrpc":"2.0","id":2,"result":{}}
        """
      And the server receives an answer to 2 with "/error/code" equal to -32601
