Feature: @modelcontextprotocol/server-map 2.0.3, over HTTP without sessions

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "CesiumJS Map Server" version "1.0.0"
    When the host lists the tools
    Then the tools are:
      | geocode  |
      | show-map |

  Scenario: It shows a map
    When the host calls the tool "show-map" with:
      | west  | 1    |
      | south | 2    |
      | east  | 3    |
      | north | 4    |
      | label | here |
    Then the result is "Displaying globe at: W:1.0000, S:2.0000, E:3.0000, N:4.0000 (here)"
