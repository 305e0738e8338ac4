package steps

import (
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":[ true, null ]}`:   `{"a":[true,null],"b":1}`,
		`"\u0061\/"`:                   `"a/"`,
		`1.0`:                          `1`,
		`1E2`:                          `100`,
		`-0`:                           `0`,
		`0.1000`:                       `1/10`,
		`9007199254740993`:             `9007199254740993`,
		`1e999999999`:                  `1e999999999`,
		`{"a":1,"a":2}`:                `{"a":1,"a":2}`,
		"\"\xff\"":                     `"�"`,
		`"\ud800"`:                     `"�"`,
		` [ ] `:                        `[]`,
		`{"é":{"z":0,"y":{"x":[[]]}}}`: `{"é":{"y":{"x":[[]]},"z":0}}`,
	} {
		if got, err := canonical([]byte(text)); err != nil || got != want {
			t.Errorf("%s: got %s (%v), want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "{", "nope", `{"a":}`, strings.Repeat("[", 100_000)} {
		if got, err := canonical([]byte(text)); err == nil {
			t.Errorf("%.20s: got %s", text, got)
		}
	}
}

func TestPointer(t *testing.T) {
	const text = ` {"a":{"b/c":[10,{"~":"x"}]},"":1,"a ":2} `
	for pointer, want := range map[string]string{
		"":               strings.TrimSpace(text),
		"/a/b~1c/0":      "10",
		"/a/b~1c/1/~0":   `"x"`,
		"/":              "1",
		"/a ":            "2",
		"/a/b~1c/2":      "",
		"/a/b~1c/00":     "",
		"/a/b~1c/-":      "",
		"/a/nope/deeper": "",
		"a":              "",
	} {
		got, err := at([]byte(text), pointer)
		if want == "" && err == nil || want != "" && (err != nil || string(got) != want) {
			t.Errorf("%q: got %s (%v), want %s", pointer, got, err, want)
		}
	}
}
