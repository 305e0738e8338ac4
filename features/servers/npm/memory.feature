Feature: @modelcontextprotocol/server-memory 2026.8.31

  Background:
    Given the server is started

  Scenario: It introduces itself
    Then the server is "memory-server" version "0.6.3"
    When the host lists the tools
    Then there are 9 tools

  Scenario: What is remembered can be found, and forgotten
    When the host calls the tool "create_entities" with:
      """
      {"entities": [{"name": "Ada", "entityType": "person", "observations": ["wrote the first program"]}]}
      """
    Then the call succeeds
    When the host calls the tool "search_nodes" with:
      | query | program |
    Then the structured content is:
      """
      {"entities": [{"name": "Ada", "entityType": "person", "observations": ["wrote the first program"]}], "relations": []}
      """
    When the host calls the tool "add_observations" with:
      """
      {"observations": [{"entityName": "Bob", "contents": ["unknown"]}]}
      """
    Then the call fails with "Entity with name Bob not found"
    When the host calls the tool "delete_entities" with:
      """
      {"entityNames": ["Ada"]}
      """
    Then the result is "Entities deleted successfully"
    When the host calls the tool "read_graph"
    Then the structured content is:
      """
      {"entities": [], "relations": []}
      """
