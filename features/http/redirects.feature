Feature: Where requests go

  @HTTP-9
  Rule: 307 and 308 within the origin are followed with method and body, at most 5

    Scenario Outline: <status> within the origin
      Given an HTTP server with the exchanges:
        """
        POST initialize -> <status>
          Location: /elsewhere?x=1
        POST initialize -> 200 application/json
          @@ANSWER@@
        """
      And the host has the headers:
        | Authorization | Bearer one-two-three |
      When the host starts the server
      Then the server is "fake"
      And the request "POST initialize#2" goes to "/elsewhere?x=1"
      And the request "POST initialize#2" repeats "POST initialize"

      Examples:
        | status |
        | 307    |
        | 308    |

    Scenario: A redirect that leads to itself
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 308
          Location: /mcp
        """
      When the host starts the server
      Then the start fails with "initialize: HTTP 308 Permanent Redirect: redirect from {url} to {url} not followed: more than 5 in a row"
      And the server has had 6 "POST initialize" requests

  @HTTP-9
  Rule: 301, 302 and 303 to a POST are an error that names the target

    Scenario Outline: <text>
      Given an HTTP server with the exchanges:
        """
        POST initialize -> <status>
          Location: /mcp/
        """
      When the host starts the server
      Then the start fails with "initialize: HTTP <text>: redirect from {url} to {url}/ not followed: it would turn POST into a GET without a body; if that is the server's address, use it as url"
      And the server has had 1 "POST initialize" request
      And the server has had 0 "GET" requests

      Examples:
        | status | text                  |
        | 301    | 301 Moved Permanently |
        | 302    | 302 Found             |
        | 303    | 303 See Other         |

  @HTTP-9
  Rule: A redirect to another origin is refused, named, and nothing is sent there

    Scenario Outline: <status> to another port
      Given another origin with the exchanges:
        """
        POST initialize -> 200 application/json
          @@ANSWER@@
        """
      And an HTTP server with the exchanges:
        """
        POST initialize -> <status>
          Location: {other}?token=one-two-three
        """
      When the host starts the server
      Then the start fails with a reason that contains "to {other} not followed: another origin: nothing was sent there"
      And the other origin has had no request

      Examples:
        | status |
        | 301    |
        | 302    |
        | 303    |
        | 307    |
        | 308    |

    Scenario Outline: To another <what>
      Given an HTTP server with the exchanges:
        """
        POST initialize -> 307
          Location: <target>
        """
      When the host starts the server
      Then the start fails with a reason that contains "to <named> not followed: another origin: nothing was sent there"

      Examples:
        | what   | target                          | named                       |
        | scheme | https://127.0.0.1/mcp           | https://127.0.0.1/mcp       |
        | host   | http://localhost.example/mcp    | http://localhost.example/mcp |
        | host   | //user:pass@elsewhere.example/  | http://elsewhere.example/   |

    Scenario: The GET stream does not go there either
      Given another origin with the exchanges:
        """
        GET -> 200 text/event-stream
          @@HANG@@
        """
      And an HTTP server with the exchanges:
        """
        GET -> 307
          Location: {other}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is "ok"
      And the other origin has had no request

  @HTTP-9
  Rule: The URL is used as written

    Scenario Outline: <path>
      Given an HTTP server that answers:
        """
        """
      And the server's path is "<path>"
      When the host starts the server
      Then the request "POST initialize" goes to "<line>"

      Examples:
        | path               | line               |
        | /mcp/              | /mcp/              |
        | /mcp?x=a%2Fb&y=    | /mcp?x=a%2Fb&y=    |
        |                    | /                  |
        | /a//b/../c;v=1     | /a//b/../c;v=1     |

  @HTTP-9
  Rule: HTTPS_PROXY and NO_PROXY count

    Scenario: The proxy is asked to connect, and refuses
      Given an HTTP server with the exchanges:
        """
        CONNECT -> 403
        """
      And the environment variable HTTPS_PROXY is "{url}"
      When the user runs `mcp-replay tools --url https://server.invalid/mcp`
      Then the exit code is 3
      And stderr contains "POST https://server.invalid/mcp: the proxy answered HTTP 403 Forbidden"
      And the server has had 1 "CONNECT" request

    Scenario: What NO_PROXY names is asked directly
      Given an HTTP server with the exchanges:
        """
        CONNECT -> 403
        """
      And the environment variable HTTPS_PROXY is "{url}"
      And the environment variable NO_PROXY is "127.0.0.1,server.invalid"
      When the user runs `mcp-replay tools --connect-timeout 2 --url https://server.invalid/mcp`
      Then the exit code is 3
      And stderr contains "mcp-replay: "
      And the server has had 0 "CONNECT" requests
