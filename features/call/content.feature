Feature: A tool's result as the host sees it

  @CALL-1
  Rule: Text is kept; the parts of a result are joined by a newline

    Scenario Outline: Two texts, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  {"content":[{"type":"text","text":"one"},{"type":"text","text":" two\n"},{"type":"text","text":"three"}]}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is:
        """
        one
         two

        three
        """

      Examples:
        | transport |
        | stdio     |
        | HTTP      |

  @CALL-2 @CALL-3 @CALL-4
  Rule: What is no text becomes a line that says what it was

    Scenario Outline: <part> → <line>, on <transport>
      Given a server on <transport> that answers:
        """
        tools/call  {"content":[{"type":"text","text":"before"},<part>,{"type":"text","text":"after"}]}
        """
      And the server is started
      When the host calls the tool "echo"
      Then the result is:
        """
        before
        <line>
        after
        """

      @CALL-2
      Examples: Images and sounds
        | transport | part                                                        | line                                                  |
        | stdio     | {"type":"image","mimeType":"image/png","data":"AAECAw=="}   | [image: image/png, 4 bytes, not shown]                |
        | stdio     | {"type":"audio","mimeType":"audio/wav","data":"AAEC"}       | [audio: audio/wav, 3 bytes, not shown]                |
        | stdio     | {"type":"image","mimeType":"image/png","data":""}           | [image: image/png, 0 bytes, not shown]                |
        | stdio     | {"type":"image","mimeType":"image/png","data":"no base64!"} | [image: image/png, not valid base64, not shown]       |
        | HTTP      | {"type":"image","mimeType":"image/png","data":"AAECAw=="}   | [image: image/png, 4 bytes, not shown]                |
        | HTTP      | {"type":"image","mimeType":"image/png","data":""}           | [image: image/png, 0 bytes, not shown]                |

      @CALL-3
      Examples: Embedded texts
        | transport | part                                                                    | line  |
        | stdio     | {"type":"resource","resource":{"uri":"file:///a.txt","text":"inlined"}} | inlined |
        | stdio     | {"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/markdown","text":"# A"}} | # A |
        | HTTP      | {"type":"resource","resource":{"uri":"file:///a.txt","text":"inlined"}} | inlined |

      @CALL-4
      Examples: Embedded files and links
        | transport | part                                                                                                          | line                                                        |
        | stdio     | {"type":"resource","resource":{"uri":"file:///a.bin","mimeType":"application/octet-stream","blob":"AAECAwQ="}} | [resource: file:///a.bin, application/octet-stream, 5 bytes, not shown] |
        | stdio     | {"type":"resource_link","name":"a.txt","uri":"file:///a.txt"}                                                 | [resource link: a.txt, file:///a.txt]                       |
        | stdio     | {"type":"resource_link","name":"a.txt","uri":"file:///a.txt","mimeType":"text/plain"}                         | [resource link: a.txt, file:///a.txt, text/plain]           |
        | HTTP      | {"type":"resource","resource":{"uri":"file:///a.bin","mimeType":"application/octet-stream","blob":"AAECAwQ="}} | [resource: file:///a.bin, application/octet-stream, 5 bytes, not shown] |
        | HTTP      | {"type":"resource_link","name":"a.txt","uri":"file:///a.txt"}                                                 | [resource link: a.txt, file:///a.txt]                       |
