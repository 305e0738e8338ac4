package settings

import "bytes"

// plainJSON puts spaces in place of comments and trailing commas, which several hosts allow in their files; line
// breaks stay, so that errors name the right place. What is no JSON otherwise stays as it is, for the parser to refuse.
func plainJSON(data []byte) []byte {
	out := bytes.Clone(data)
	comma := -1 // where the last comma stands, as long as only space and comments have followed
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = stringEnd(out, i)
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			i = blank(out, i, lineEnd(out, i))
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			end := len(out)
			if at := bytes.Index(out[i+2:], []byte("*/")); at >= 0 {
				end = i + 2 + at + 2
			}
			i = blank(out, i, end)
		case c == ',':
			comma = i
			i++
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
			i++
		default:
			if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
				comma = -1
			}
			i++
		}
	}
	return out
}

// stringEnd gives the place after the string that begins at i.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

func lineEnd(data []byte, i int) int {
	if at := bytes.IndexByte(data[i:], '\n'); at >= 0 {
		return i + at
	}
	return len(data)
}

func blank(data []byte, from, to int) int {
	for i := from; i < to; i++ {
		if data[i] != '\n' && data[i] != '\r' {
			data[i] = ' '
		}
	}
	return to
}
