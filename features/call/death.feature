@CALL-12
Feature: A server that dies fails every pending call

  Scenario: Its exit code and the end of its stderr are said
    Given a server that writes:
      """
      @@ANSWER initialize@@
      @@AFTER:tools/call#2@@
      @@STDERR the printer is on fire@@
      @@EXIT 3@@
      """
    And the server is started
    When the host makes these calls at once:
      | print | {} |
      | print | {} |
    Then the results are:
      | failed: tools/call: outcome unknown: the server exited with code 3; its stderr ends: the printer is on fire |
      | failed: tools/call: outcome unknown: the server exited with code 3; its stderr ends: the printer is on fire |
    And the call takes less than 10 s

  Scenario: It is killed
    Given a server that writes:
      """
      @@ANSWER initialize@@
      @@AFTER:tools/call@@
      @@SIGNAL@@
      """
    And the server is started
    When the host calls the tool "print"
    Then the call fails with "tools/call: outcome unknown: the server exited with signal SIGKILL"

  Scenario: A call after its death fails at once
    Given a server that answers:
      """
      tools/call  exit 0
      """
    And the server is started
    When the host calls the tool "print"
    Then the call fails with "tools/call: outcome unknown: the server exited with code 0"
    When the host calls the tool "print"
    Then the call fails with "tools/call: not sent: the server exited with code 0"
    And the call takes less than 5 s
