Feature: Progress of a server on FastMCP of the official Python SDK 1.30.0

  Scenario: It counts, and tells its progress and a log line for each step
    Given the server is started
    When the host calls the tool "count", asking for progress, with:
      | to | 3 |
    Then the result is "counted to 3"
    And the progress is:
      | progress | total | message |
      | 1.0      | 3.0   | 1 of 3  |
      | 2.0      | 3.0   | 2 of 3  |
      | 3.0      | 3.0   | 3 of 3  |
    And the server notifies the host of "notifications/message"
