package mcp

import (
	"fmt"
	"strings"
)

// batchLine writes the command line that runs a batch file under cmd.exe with arguments which arrive unchanged. Batch
// files cannot be started otherwise, and the usual quoting of arguments does not hold for cmd.exe: it would run
// what stands after an & and put variables in the place of %NAME%.
//
// The way is that of Rust's standard library: every argument with anything but plain characters is quoted, quotes are
// doubled, and a % stands behind an empty substring of a variable, so that no name of a variable begins at it.
func batchLine(file string, args []string) (string, error) {
	if strings.ContainsRune(file, '"') || strings.HasSuffix(file, `\`) {
		return "", fmt.Errorf("%s: no batch file can have this name", file)
	}
	var b strings.Builder
	// /e:ON makes substrings of variables work, /v:OFF keeps ! as it is, /d skips what the user runs with each cmd.exe.
	b.WriteString(`cmd.exe /e:ON /v:OFF /d /c ""` + file + `"`)
	for i, arg := range args {
		if strings.ContainsAny(arg, "\r\n\x00") {
			return "", fmt.Errorf("argument %d: a batch file can take no argument with a line end in it", i+1)
		}
		b.WriteByte(' ')
		writeBatchArgument(&b, arg)
	}
	b.WriteByte('"')
	return b.String(), nil
}

func writeBatchArgument(b *strings.Builder, arg string) {
	// A backslash at the end would escape the quote that a batch file puts after "%~1.
	quoted := arg == "" || strings.HasSuffix(arg, `\`) || strings.ContainsFunc(arg, needsQuotes)
	if quoted {
		b.WriteByte('"')
	}
	backslashes := 0
	for _, c := range []byte(arg) {
		switch c {
		case '\\':
			backslashes++
			b.WriteByte(c)
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, backslashes))
			b.WriteByte('"')
		case '%':
			b.WriteString("%%cd:~,")
		}
		b.WriteByte(c)
		backslashes = 0
	}
	if quoted {
		b.WriteString(strings.Repeat(`\`, backslashes))
		b.WriteByte('"')
	}
}

// needsQuotes says whether an argument with r in it is quoted: one with any ASCII sign that is not known to be
// harmless, or a control character.
func needsQuotes(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return r < 0x80 && !strings.ContainsRune(`#$*+-./:?@\_`, r) || 0x80 <= r && r <= 0x9f
}
