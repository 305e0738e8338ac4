package replay

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/imurun/mcp-replay/replay/internal/wholefile"
)

// A Find is a line of a cassette in which the redactor sees something to remove.
type Find struct {
	Line  int      // from 1, which is the header
	Kinds []string // what it sees there, such as "github" or "path:home"
}

func (f Find) String() string { return fmt.Sprintf("line %d: %s", f.Line, joinWords(f.Kinds)) }

// A RedactReport says what redacting a cassette has found, or would change.
type RedactReport struct {
	Frames   int
	Finds    []Find
	Cut      bool // the cassette ended inside a line, which is left out
	Warnings []string
}

// RedactCheck looks for what the rules of this program and the given ones would remove from a cassette: secrets, and the
// home folder of this machine where no Folders are given. It changes nothing.
func RedactCheck(path string, o *RedactOptions) (*RedactReport, error) {
	return redactFile(path, io.Discard, o)
}

// RedactFile redacts a cassette once more, with the given rules beside the built-in ones, and writes it to another path, or
// in place where that is the same. It goes the same single way that a recording does; what was a placeholder stays one,
// and redacting twice changes nothing. The new file takes the old one's place whole, or not at all.
func RedactFile(path, to string, o *RedactOptions) (report *RedactReport, err error) {
	err = wholefile.Replace(to, path, func(out io.Writer) error {
		report, err = redactFile(path, out, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

func redactFile(path string, w io.Writer, o *RedactOptions) (*RedactReport, error) {
	cassette, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer cassette.Close()
	redactor, err := againRedactor(cassette, o)
	if err != nil {
		return nil, err
	}
	report := &RedactReport{Frames: cassette.Len(), Cut: cassette.Cut(), Warnings: redactor.Warnings()}
	// Twice: what a later frame tells to be a secret may stand in an earlier one.
	if err := redactor.rewrite(cassette, io.Discard, new(RedactReport)); err != nil {
		return nil, err
	}
	return report, redactor.rewrite(cassette, w, report)
}

// againRedactor makes the redactor of a cassette: it knows the numbers that are given out.
func againRedactor(c *Cassette, o *RedactOptions) (*Redactor, error) {
	if o == nil {
		o = new(RedactOptions)
	}
	given := *o
	if given.Folders == nil { // a folder for temporary files is nobody's secret
		given.Folders = &Folders{Home: ThisMachine().Home}
	}
	redactor, err := NewRedactor(&given)
	if err != nil {
		return nil, err
	}
	redactor.last = highestNumber(appendHeader(nil, c.Header()), 0)
	for f, err := range c.Frames() {
		if err != nil {
			return nil, err
		}
		redactor.last = highestNumber(appendFrame(nil, &f), redactor.last)
	}
	return redactor, nil
}

// highestNumber gives the highest number of a placeholder in a line, or the one given.
func highestNumber(line []byte, highest int) int {
	for rest := string(line); ; {
		var ok bool
		if _, rest, ok = strings.Cut(rest, redactedMark); !ok {
			return highest
		}
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return highest
		}
		if n, err := strconv.Atoi(rest[strings.LastIndexByte(rest[:end], ':')+1 : end]); err == nil {
			highest = max(highest, n)
		}
	}
}

// rewrite goes over the cassette once, and writes it to w.
func (r *Redactor) rewrite(c *Cassette, w io.Writer, report *RedactReport) error {
	header, kinds := r.header(*c.Header(), true)
	header.Rules = r.rulesOver(header.Rules)
	report.add(1, kinds)
	out, err := NewWriter(w, &header)
	if err != nil {
		return err
	}
	line := 1
	for f, err := range c.Frames() {
		if err != nil {
			return err
		}
		line++
		redacted, kinds := r.frame(f, true)
		report.add(line, kinds)
		if err := out.WriteFrame(&redacted); err != nil {
			return err
		}
	}
	return nil
}

func (r *RedactReport) add(line int, kinds []string) {
	if len(kinds) == 0 {
		return
	}
	slices.Sort(kinds)
	r.Finds = append(r.Finds, Find{line, slices.Compact(kinds)})
}
