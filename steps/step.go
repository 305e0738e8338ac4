package steps

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/messages/go/v34"
	"github.com/go-json-experiment/json/jsontext"
)

// Step is one entry of a vocabulary.
type Step struct {
	// Pattern is the regular expression that the whole text of the step matches, from ^ to $. What its groups
	// capture is handed to Do.
	Pattern string
	// Example is a step as it stands in a feature, keyword included; a docstring or table follows on the next lines.
	Example string
	// Doc says in one sentence what the step does, or what it asserts.
	Doc string
	// Do is a function
	//
	//	func(ctx context.Context, w *World, captures…, argument) error
	//
	// with one parameter for each group of Pattern (string, int, float64 or time.Duration, which is written
	// as "200 ms" or "2 s"), and last a [Doc], a [Table] or [Arguments] where something stands below the step. A step
	// that takes the argument or leaves it has two patterns, one of them ending in a colon.
	Do any
}

// ErrPending is what a step returns that is written down, but not built yet.
var ErrPending = errors.New("the step is not built yet")

// Doc is the text of a docstring.
type Doc string

// Table is the cells of a table, row by row.
type Table [][]string

// Arguments is a JSON object, for a tool: a docstring with the JSON, or a table of names and values. A value of a table that is
// JSON stands for itself, any other for its text: 5 is a number, "5" and five are strings.
type Arguments jsontext.Value

// Pairs reads a table of two columns without a heading: names and values, in their order.
func (t Table) Pairs() ([][2]string, error) {
	pairs := make([][2]string, 0, len(t))
	for _, row := range t {
		if len(row) != 2 {
			return nil, fmt.Errorf("a table of two columns (name, value) is wanted, and a row has %d", len(row))
		}
		pairs = append(pairs, [2]string{row[0], row[1]})
	}
	return pairs, nil
}

// arguments reads a table of two columns as a JSON object.
func (t Table) arguments() (Arguments, error) {
	pairs, err := t.Pairs()
	if err != nil {
		return nil, err
	}
	b := []byte("{")
	for i, p := range pairs {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = jsontext.AppendQuote(b, p[0]); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if v := jsontext.Value(p[1]); v.IsValid(lenient) {
			b = append(b, v...)
		} else if b, err = jsontext.AppendQuote(b, p[1]); err != nil {
			return nil, err
		}
	}
	return Arguments(append(b, '}')), nil
}

// Column reads a table of one column without a heading.
func (t Table) Column() ([]string, error) {
	column := make([]string, 0, len(t))
	for _, row := range t {
		if len(row) != 1 {
			return nil, fmt.Errorf("a table of one column is wanted, and a row has %d", len(row))
		}
		column = append(column, row[0])
	}
	return column, nil
}

// Records reads a table whose first row names the columns.
func (t Table) Records() []map[string]string {
	var records []map[string]string
	for i := 1; i < len(t); i++ {
		record := make(map[string]string, len(t[0]))
		for j, name := range t[0] {
			record[name] = t[i][j]
		}
		records = append(records, record)
	}
	return records
}

var (
	contextType  = reflect.TypeFor[context.Context]()
	worldType    = reflect.TypeFor[*World]()
	errorType    = reflect.TypeFor[error]()
	docType      = reflect.TypeFor[Doc]()
	tableType    = reflect.TypeFor[Table]()
	objectType   = reflect.TypeFor[Arguments]()
	durationType = reflect.TypeFor[time.Duration]()
)

// captures is the number of parameters of Do that stand for a group of the pattern.
func (s *Step) captures() int {
	n := reflect.TypeOf(s.Do).NumIn() - 2
	if s.argument() != nil {
		n--
	}
	return n
}

// argument is the type of the docstring or table that the step takes, nil for none.
func (s *Step) argument() reflect.Type {
	do := reflect.TypeOf(s.Do)
	if do.NumIn() == 2 {
		return nil
	}
	if last := do.In(do.NumIn() - 1); last == docType || last == tableType || last == objectType {
		return last
	}
	return nil
}

// Run does the step in the given world with what its pattern captured.
func (s *Step) Run(ctx context.Context, w *World, captures []string, arg *messages.PickleStepArgument) error {
	do := reflect.ValueOf(s.Do)
	in := []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(w)}
	for i, text := range captures {
		v, err := convert(w.Expand(text), do.Type().In(i+2))
		if err != nil {
			return err
		}
		in = append(in, v)
	}
	v, err := s.convertArgument(w, arg)
	if err != nil {
		return err
	}
	if v.IsValid() {
		in = append(in, v)
	}
	err, _ = do.Call(in)[0].Interface().(error)
	return err
}

// convertArgument refuses an argument that nobody would read, and the lack of one that is wanted.
func (s *Step) convertArgument(w *World, arg *messages.PickleStepArgument) (reflect.Value, error) {
	hasDoc := arg != nil && arg.DocString != nil
	hasTable := arg != nil && arg.DataTable != nil
	switch want := s.argument(); {
	case want == docType && hasDoc:
		return reflect.ValueOf(Doc(w.Expand(arg.DocString.Content))), nil
	case want == tableType && hasTable:
		return reflect.ValueOf(tableOf(w, arg.DataTable)), nil
	case want == objectType && hasDoc:
		args := Arguments(w.Expand(arg.DocString.Content))
		if v := jsontext.Value(args); !v.IsValid(lenient) || v.Kind() != '{' {
			return reflect.Value{}, fmt.Errorf("the docstring is no JSON object: %s", args)
		}
		return reflect.ValueOf(args), nil
	case want == objectType && hasTable:
		args, err := tableOf(w, arg.DataTable).arguments()
		return reflect.ValueOf(args), err
	case want == objectType:
		return reflect.Value{}, errors.New("the step wants a docstring with JSON below it, or a table of names and values")
	case want == docType:
		return reflect.Value{}, errors.New(`the step wants a docstring below it, between two lines of """`)
	case want == tableType:
		return reflect.Value{}, errors.New("the step wants a table below it")
	case hasDoc || hasTable:
		return reflect.Value{}, errors.New("the step takes no docstring or table, and one stands below it")
	}
	return reflect.Value{}, nil
}

func tableOf(w *World, t *messages.PickleTable) Table {
	table := make(Table, len(t.Rows))
	for i, row := range t.Rows {
		for _, cell := range row.Cells {
			table[i] = append(table[i], w.Expand(cell.Value))
		}
	}
	return table
}

// convert reads what a group captured as the type of its parameter.
func convert(text string, t reflect.Type) (reflect.Value, error) {
	if t == durationType {
		d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			return reflect.Value{}, fmt.Errorf("%q is no length of time, such as 200 ms or 2 s", text)
		}
		return reflect.ValueOf(d), nil
	}
	switch t.Kind() {
	case reflect.String:
		return reflect.ValueOf(text), nil
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return reflect.Value{}, fmt.Errorf("%q is no whole number", text)
		}
		return reflect.ValueOf(n), nil
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return reflect.Value{}, fmt.Errorf("%q is no number", text)
		}
		return reflect.ValueOf(f), nil
	}
	return reflect.Value{}, fmt.Errorf("a step's function cannot take a %s", t)
}

// HintError is a failure that says what to do about it.
type HintError struct {
	Err  error
	Hint string
}

// Error gives the failure without the hint.
func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap gives the failure.
func (e *HintError) Unwrap() error { return e.Err }
