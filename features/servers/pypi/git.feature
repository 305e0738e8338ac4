Feature: mcp-server-git 2026.10.19

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "mcp-git" version "2026.10.19"
    When the host lists the tools
    Then there are 12 tools
    And the tool "git_status" is read-only
    And the tool "git_reset" is destructive

  Scenario: It commits
    When the host calls the tool "git_status" with:
      | repo_path | /tmp/mcp-replay-interop/pypi/git/repo |
    Then the result contains "hello.txt"
    When the host calls the tool "git_add" with:
      """
      {"repo_path": "/tmp/mcp-replay-interop/pypi/git/repo", "files": ["hello.txt"]}
      """
    Then the result is "Files staged successfully"
    When the host calls the tool "git_commit" with:
      | repo_path | /tmp/mcp-replay-interop/pypi/git/repo |
      | message   | first                                 |
    Then the result is "Changes committed successfully with hash 5e063110529b564af29fd59b049f6d0c960382b3"
    When the host calls the tool "git_branch" with:
      | repo_path   | /tmp/mcp-replay-interop/pypi/git/repo |
      | branch_type | local                                 |
    Then the result is "* main"

  Scenario: It keeps to its repository
    When the host calls the tool "git_status" with:
      | repo_path | /etc |
    Then the call fails with a text that contains "Repository path '/etc' is outside the allowed repository"
