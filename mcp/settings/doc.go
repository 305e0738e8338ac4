// Package settings reads and writes the settings file in which MCP servers stand: a JSON file that belongs to
// several programs, of which the section mcp is ours.
//
//	{"mcp": {
//	  "policy": "ask",
//	  "servers": [
//	    {"id": "files", "transport": "stdio", "command": "npx",
//	     "args": ["-y", "@modelcontextprotocol/server-filesystem", "${home}/notes"],
//	     "env": {"API_KEY": "${env:NOTES_KEY}"}, "auto_approve": ["read_file"], "timeout": 60},
//	    {"id": "remote", "transport": "http", "url": "https://example.com/mcp",
//	     "headers": {"Authorization": "Bearer ${env:REMOTE_TOKEN}"}, "enabled": false}
//	  ]
//	}}
//
// [File.Load] gives the [Settings]. One bad entry does not take the good ones down: it is listed with its error in
// [Server.Err]. [File.Update] changes the file under a lock that all processes share, and puts the new one in its place
// at once. It edits the text where something differs, so that whatever is not ours keeps every byte; a file that cannot
// be parsed is never written to.
//
// What a person sees of a server is [Server.Masked]; a [Patch] that comes back with the masks in it keeps the
// stored values. What connects uses [Server.Resolve], which fills the placeholders in, and gives the [Secrets]
// that no text about the server may show. A server's process gets the environment that [ChildEnv] makes.
//
// [ReadHosts] reads the files of other hosts.
package settings
