package formats

import (
	"fmt"
	"io"
	"net/url"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// ExportOptions tell [Export] what the cassette does not.
type ExportOptions struct {
	// URL is the address that requests are exported under; empty means that of the recorded server, and for one on
	// stdio http://127.0.0.1/mcp.
	URL string
}

// Exports lists what can be exported.
func Exports() []Format {
	return []Format{{Name: "har", Doc: "HTTP Archive 1.2, for browsers and proxies"}, {Name: "go-vcr", Doc: "dnaeon/go-vcr 1 and 2, YAML"}}
}

// Export writes a cassette in another format, and says what that one cannot hold. A session on stdio is exported as
// Streamable HTTP would have carried it. Placeholders of redacted secrets stay what they are.
func Export(w io.Writer, format string, c *replay.Cassette, o *ExportOptions) (notes []string, err error) {
	if o == nil {
		o = &ExportOptions{}
	}
	write := map[string]func(io.Writer, *exporter) error{"har": writeHAR, "go-vcr": writeGoVCR}[format]
	if write == nil {
		return nil, &UnknownError{Name: c.Name(), Format: format, Cause: fmt.Errorf("there is no such format")}
	}
	ex := &exporter{header: c.Header()}
	if err := ex.read(c, o.URL); err != nil {
		return nil, err
	}
	if err := write(w, ex); err != nil {
		return nil, err
	}
	return ex.notes, nil
}

// exporter is a cassette under way to another format.
type exporter struct {
	header    *replay.Header
	base      string // scheme and host
	exchanges []*exchange
	notes     []string
}

func (ex *exporter) note(format string, args ...any) {
	ex.notes = append(ex.notes, fmt.Sprintf(format, args...))
}

func (ex *exporter) read(c *replay.Cassette, address string) error {
	var frames []replay.Frame
	redacted := false
	for f, err := range c.Frames() {
		if err != nil {
			return err
		}
		redacted = redacted || meaning.HasPlaceholder(f.Data)
		frames = append(frames, f)
	}
	own := address != ""
	if !own {
		address = plainText(ex.header.Server.URL)
	}
	if address == "" {
		address = "http://127.0.0.1/mcp"
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return fmt.Errorf("the address %q: not one of HTTP", address)
	}
	ex.base = u.Scheme + "://" + u.Host
	if ex.header.Transport != "http" {
		ex.note("the session was on stdio: it is exported as Streamable HTTP would have carried it")
		frames = overHTTP(frames, u.RequestURI())
	}
	if c.Cut() {
		ex.note("the recording was cut off: its last line is not whole and is left out")
	}
	if redacted {
		ex.note("secrets and folders stay placeholders, such as [redacted:token:1]: the other format has no words for them")
	}
	ex.exchanges = exchangesOf(frames, ex.note)
	for _, x := range ex.exchanges {
		if own && ex.header.Transport == "http" {
			x.path = u.RequestURI()
		}
		ex.finish(x)
	}
	return nil
}

// finish gives an exchange back what a cassette does not keep: the id of its session.
func (ex *exporter) finish(x *exchange) {
	if x.session == 0 {
		return
	}
	id := fmt.Sprintf("session-%d", x.session)
	if isInitialize(x.body) {
		x.answer.Set(sessionHeader, id)
		return
	}
	x.header.Set(sessionHeader, id)
}

func isInitialize(body []byte) bool {
	m, err := jsonrpc.Parse(body)
	return err == nil && m.Method == "initialize"
}
