package replay

import (
	"io"
	"testing"

	"github.com/imurun/mcp-replay/mcp"
)

// BenchmarkRecord is what the recorder does with a message between its coming and its being passed on, the file left out.
func BenchmarkRecord(b *testing.B) {
	for name, message := range map[string]string{
		"call":   `{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"name":"echo","arguments":{}}}`,
		"answer": `{"jsonrpc":"2.0","id":12345,"result":{"content":[{"type":"text","text":"hello"}]}}`,
	} {
		b.Run(name, func(b *testing.B) {
			rec, err := NewRecorder(io.Discard, &RecordOptions{Redact: &RedactOptions{Env: []string{"API_KEY=hunter2-hunter2"}}})
			if err != nil {
				b.Fatal(err)
			}
			line := append([]byte(message), '\n')
			p := pump{from: mcp.FromClient, middle: &middle{record: rec.record}}
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				p.take(line)
			}
		})
	}
}
