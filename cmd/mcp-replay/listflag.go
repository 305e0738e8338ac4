package main

import "github.com/spf13/pflag"

// A list is the values of a flag that may be given several times. pflag's own does the same, but writes its default as CSV whenever
// it is made, which a host that waits for record to start would notice.
type list []string

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

func (l *list) Type() string { return "list" }

// String is the default, for the help: none.
func (l *list) String() string { return "" }

// listFlag adds a flag whose values go to *values, in their order.
func listFlag(f *pflag.FlagSet, values *[]string, name, usage string) {
	f.Var((*list)(values), name, usage)
}
