Feature: What a server sent plays no tricks on who reads it

  Background:
    Given a cassette "s.jsonl" with:
      """
      > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}
      < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\u001b[2Jgone \u202eelif</script><script>alert(1)</script>"}]}}
      """

  Scenario: On the terminal
    When the user runs `mcp-replay show s.jsonl --width 120`
    Then stdout contains "‹ESC›[2Jgone ‹U+202E right-to-left override›elif"

  Scenario: In the page, which loads nothing and allows nothing but its own script
    When the user runs `mcp-replay show s.jsonl --format html -o page.html`
    Then stderr is:
      """
      wrote page.html
      """
    And the file "page.html" contains:
      """
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-
      """
    And the file "page.html" does not contain "alert(1)</script>"
    And the file "page.html" does not contain "src="
    And the file "page.html" does not contain "href="

  Scenario: A file that is there is not written over
    Given a file "page.html" with:
      """
      mine
      """
    When the user runs `mcp-replay show s.jsonl --format html -o page.html`
    Then the exit code is 2
    And stderr is:
      """
      mcp-replay: page.html: exists already
      hint: --force writes over it
      """
    And the file "page.html" is:
      """
      mine
      """
