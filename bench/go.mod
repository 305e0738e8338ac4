module github.com/imurun/mcp-replay/bench

go 1.26.0

replace github.com/imurun/mcp-replay => ../

require github.com/imurun/mcp-replay v0.0.0

require (
	github.com/mark3labs/mcp-go v1.2.1 // indirect
	github.com/modelcontextprotocol/go-sdk v1.8.0 // indirect
)
