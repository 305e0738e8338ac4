package replay

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// takeAlike is take for the recordings in which requests were refused with a status. What a server refuses, such as a version, stands beside the
// params: so of equal requests it takes the first that came with the same version and headers of MCP.
func (s *playing) takeAlike(key uint64, m *jsonrpc.Message, header http.Header) int32 {
	if !s.part.refused {
		return none
	}
	lo, hi := s.group(groupRequests, key)
	if hi-lo < 2 {
		return none
	}
	for _, at := range s.part.requests[lo:min(hi, lo+mostWild)] {
		if s.has(at) {
			continue
		}
		recorded := s.message(at)
		if bytes.Equal(metaVersion(recorded.Params), metaVersion(m.Params)) && (header == nil || sameMCP(header, s.recordedHeader(at))) {
			return at
		}
	}
	return none
}

// metaVersion is the protocol version that a request of 2026-07-28 names.
func metaVersion(params []byte) []byte {
	return meaning.At(params, "_meta", "io.modelcontextprotocol/protocolVersion")
}

// sameMCP tells whether two requests have the same headers of MCP, but for the session's.
func sameMCP(a, b http.Header) bool {
	subset := func(a, b http.Header) bool {
		for name, values := range a {
			if strings.HasPrefix(name, "Mcp-") && name != "Mcp-Session-Id" && !slices.Equal(values, b[name]) {
				return false
			}
		}
		return true
	}
	return subset(a, b) && subset(b, a)
}

// recordedHeader gives the header of the HTTP request that brought a recorded one; nil where there is none.
func (s *playing) recordedHeader(at int32) http.Header {
	const mostBetween = 256 // frames of other exchanges
	c := s.player.score.cassette
	i := int(s.part.cues[at].frame)
	exchange := c.Entry(i).Exchange
	for n := i - 1; n >= 0 && n > i-mostBetween; n-- {
		if e := c.Entry(n); e.Exchange == exchange && e.Kind == mcp.FrameHTTP && e.From == mcp.FromClient {
			if f, err := c.Frame(n); err == nil {
				return f.Head.Header
			}
		}
	}
	return nil
}
