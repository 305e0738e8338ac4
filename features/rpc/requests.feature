Feature: The server asks, tells, and repeats itself

  @RPC-5
  Rule: The server's ping is answered, at any time after the connection stands

    Scenario Outline: A ping under the id <id>
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:notifications/initialized@@{"jsonrpc":"2.0","id":<id>,"method":"ping"}
        """
      And the server is started
      Then the server receives:
        """
        {"jsonrpc":"2.0","id":<id>,"result":{}}
        """

      Examples:
        | id                  |
        | 1                   |
        | 0                   |
        | -3                  |
        | "a-1"               |
        | 9007199254740993    |
        | ""                  |

    Scenario: A ping while a call waits
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@{"jsonrpc":"2.0","id":"p","method":"ping"}
        @@SLEEP 50 ms@@
        @@ANSWER tools/call@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server receives in this order:
        | initialize                |
        | notifications/initialized |
        | tools/call                |
        | "p"                       |

    Scenario Outline: A ping under the id <id> on the stream of a call that waits
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":<id>,"method":"ping"}

          @@SLEEP 50 ms@@
          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"ok"}]}}

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the server receives:
        """
        {"jsonrpc":"2.0","id":<id>,"result":{}}
        """

      Examples:
        | id               |
        | 1                |
        | "a-1"            |
        | 9007199254740993 |

  @RPC-6
  Rule: Any other request is answered with error -32601

    Scenario Outline: <method>
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:notifications/initialized@@{"jsonrpc":"2.0","id":"s1","method":"<method>","params":{}}
        @@ANSWER tools/call@@
        """
      And the server is started
      Then the server receives an answer to "s1" with "/error/code" equal to -32601
      When the host calls the tool "echo"
      Then the result is "ok"

      Examples:
        | method                 |
        | sampling/createMessage |
        | roots/list             |
        | elicitation/create     |
        | x-vendor/anything      |
        | tools/call             |

    Scenario Outline: <method>, over HTTP
      Given an HTTP server with the exchanges:
        """
        GET -> 200 text/event-stream
          data: {"jsonrpc":"2.0","id":"s1","method":"<method>","params":{}}

          @@HANG@@
        """
      And the server is started
      Then the server receives an answer to "s1" with "/error/code" equal to -32601
      When the host calls the tool "echo"
      Then the result is "ok"

      Examples:
        | method                 |
        | sampling/createMessage |
        | roots/list             |
        | x-vendor/anything      |

  @RPC-7
  Rule: What nobody waits for is dropped without harm

    Scenario Outline: <what>
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call@@<lines>
        @@ANSWER tools/call@@
        @@ANSWER tools/call#2@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      When the host calls the tool "echo"
      Then the result is "ok"
      And the session stands

      Examples:
        | what                               | lines |
        | An unknown notification            | {"jsonrpc":"2.0","method":"notifications/x-vendor","params":{"a":1}} |
        | A notification with an array       | {"jsonrpc":"2.0","method":"notifications/message","params":[]} |
        | A notification with null           | {"jsonrpc":"2.0","method":"notifications/message","params":null} |
        | A second answer to initialize      | {"jsonrpc":"2.0","id":1,"result":{}} |
        | An error that answers nothing      | {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}} |
        | An empty batch                     | [] |

    Scenario Outline: <what>, over HTTP
      Given an HTTP server with the exchanges:
        """
        POST tools/call -> 200 text/event-stream
          data: <before>

          data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"ok"}]}}

          data: <after>

        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      When the host calls the tool "echo"
      Then the result is "ok"
      And the session stands

      Examples:
        | what                          | before | after |
        | An unknown notification       | {"jsonrpc":"2.0","method":"notifications/x-vendor","params":[]} | {"jsonrpc":"2.0","method":"notifications/x-vendor"} |
        | A second answer to initialize | {"jsonrpc":"2.0","id":1,"result":{}} | {"jsonrpc":"2.0","id":1,"result":{}} |
        | A duplicate answer            | {"jsonrpc":"2.0","method":"x"} | {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[{"type":"text","text":"twice"}]}} |
        | An empty batch                | [] | [] |

    Scenario: A duplicate answer
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@ANSWER tools/call@@
        {"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[{"type":"text","text":"twice"}]}}
        @@ANSWER tools/call#2@@
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      When the host calls the tool "echo"
      Then the result is "ok"

    Scenario: A batch is taken message by message
      Given a server that writes:
        """
        @@ANSWER initialize@@
        @@AFTER:tools/call#2@@[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":@@ID:tools/call#2@@,"result":{"content":[{"type":"text","text":"two"}]}},{"neither":1},{"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"content":[{"type":"text","text":"one"}]}},{"jsonrpc":"2.0","id":"b","method":"ping"}]
        """
      And the server is started
      When the host makes these calls one behind the other:
        | echo |
        | echo |
      Then the results are:
        | one |
        | two |
      And the server notifies the host of "notifications/x"
      And the server receives:
        """
        {"jsonrpc":"2.0","id":"b","result":{}}
        """
