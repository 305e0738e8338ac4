package mcp

import "os"

// pipeSink writes to an anonymous pipe, which on Windows can only block.
type pipeSink struct{ f *os.File }

func newSink(f *os.File) (sink, error) { return pipeSink{f}, nil }

func (p pipeSink) blocks() bool              { return true }
func (p pipeSink) try(b []byte) (int, error) { return p.f.Write(b) }
func (p pipeSink) wait() error               { return nil }
