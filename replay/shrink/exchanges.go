package shrink

import (
	"slices"
	"strconv"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// exchanges groups frames that belong together: over HTTP those of one exchange; on stdio a request with its answer,
// its progress and its cancellation. Any other frame is a group of its own.
func exchanges(c *replay.Cassette, kept []int) ([][]int, error) {
	g := &grouping{groups: map[string]int{}}
	for _, i := range kept {
		if n := c.Entry(i).Exchange; n > 0 {
			g.add(i, "exchange "+strconv.Itoa(n))
			continue
		}
		if c.Entry(i).Kind != mcp.FrameMessage {
			g.add(i, "")
			continue
		}
		f, err := c.Frame(i)
		if err != nil {
			return nil, err
		}
		g.message(i, &f)
	}
	return g.list, nil
}

type grouping struct {
	list   [][]int
	groups map[string]int // by what joins their frames
}

// add puts a frame into the group of that key, or into one of its own where there is no key.
func (g *grouping) add(i int, key string) {
	n, ok := g.groups[key]
	if key == "" || !ok {
		n = len(g.list)
		g.list = append(g.list, nil)
		if key != "" {
			g.groups[key] = n
		}
	}
	g.list[n] = append(g.list[n], i)
}

func (g *grouping) message(i int, f *replay.Frame) {
	m, err := jsonrpc.Parse(f.Data)
	if err != nil {
		g.add(i, "")
		return
	}
	asker, other := "client ", "server "
	if f.From == mcp.FromServer {
		asker, other = other, asker
	}
	switch {
	case m.Kind() == jsonrpc.Request:
		delete(g.groups, asker+string(m.ID)) // an id that is used again is another request
		g.add(i, asker+string(m.ID))
		if token := meaning.At(m.Params, "_meta", "progressToken"); token != nil {
			g.groups["token "+string(token)] = g.groups[asker+string(m.ID)]
		}
	case m.Kind() == jsonrpc.Response:
		g.add(i, other+string(m.ID))
	case m.Method == "notifications/progress":
		g.joined(i, "token "+string(meaning.At(m.Params, "progressToken")))
	case m.Method == "notifications/cancelled":
		g.joined(i, asker+string(meaning.At(m.Params, "requestId")))
	default:
		g.add(i, "")
	}
}

// joined adds a frame to a group that is there already, else to one of its own.
func (g *grouping) joined(i int, key string) {
	if _, ok := g.groups[key]; !ok {
		key = ""
	}
	g.add(i, key)
}

// merge puts the frames of groups back into the order of the wire.
func merge(groups [][]int) []int {
	all := slices.Concat(groups...)
	slices.Sort(all)
	return all
}
