Feature: Servers that are not supported

  @HTTP-10
  Rule: OAuth and the HTTP+SSE transport of 2024-11-05 are not supported; the error says which of the two it is

    Scenario Outline: A server that wants OAuth answers <status>
      Given an HTTP server with the exchanges:
        """
        POST initialize -> <status>
          WWW-Authenticate: Bearer resource_metadata="https://notes.example/.well-known/oauth-protected-resource"
        """
      When the host starts the server
      Then the start fails with:
        """
        initialize: HTTP <text>: the server wants OAuth, which is not supported: WWW-Authenticate: Bearer resource_metadata="https://notes.example/.well-known/oauth-protected-resource"; if the server takes a fixed token, too, set a header such as Authorization to it through ${env:NAME}
        """
      And the server has had the requests:
        | POST initialize |

      Examples:
        | status | text             |
        | 401    | 401 Unauthorized |
        | 403    | 403 Forbidden    |

    Scenario Outline: A server of 2024-11-05 answers the POST with <status>
      Given an HTTP server with the exchanges:
        """
        POST initialize -> <status>
        GET -> 200 text/event-stream
          event: endpoint
          data: /messages?session=1

          @@HANG@@
        """
      When the host starts the server
      Then the start fails with "initialize: HTTP <text>: the server speaks only the HTTP+SSE transport of 2024-11-05, which is not supported; see whether it has another address for Streamable HTTP, often one that ends in /mcp"
      And the server has had the requests:
        | POST initialize |
        | GET             |

      Examples:
        | status | text                   |
        | 400    | 400 Bad Request        |
        | 404    | 404 Not Found          |
        | 405    | 405 Method Not Allowed |

    Scenario: A wrong address is neither
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 404 text/plain
          nothing here
        GET -> 404
        """
      When the host starts the server
      Then the start fails with "initialize: HTTP 404 Not Found: nothing here; is {url} the server's address?"
