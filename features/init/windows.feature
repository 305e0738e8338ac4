@INIT-7
Feature: On Windows a command is found by the extensions of PATHEXT

  Scenario: npx is npx.cmd, though npm puts a shell script npx beside it
    Given a file "bin/npx" with:
      """
      #!/bin/sh
      """
    And a file "bin/npx.cmd" with:
      """
      @echo off
      """
    Then on Windows the command "npx" is found in the folder "bin" as "npx.cmd"
    And on Windows the command "npx.cmd" is found in the folder "bin" as "npx.cmd"

  Scenario: A program goes before a batch file
    Given a file "bin/uvx.exe" with:
      """
      MZ
      """
    And a file "bin/uvx.bat" with:
      """
      @echo off
      """
    Then on Windows the command "uvx" is found in the folder "bin" as "uvx.exe"
