package meaning

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHashTellsMeaning(t *testing.T) {
	same := [][]string{
		{`{"a":1,"b":[true,null]}`, `{ "b" : [ true , null ] , "a" : 1.0 }`, `{"\u0061":10e-1,"b":[true,null]}`},
		{`100`, `1E2`, `1e+2`, `100.0`, `0.1e3`, `1000e-1`},
		{`0`, `-0`, `0.0`, `0e9`},
		{`"\u00e9/"`, `"é\/"`},
		{`9007199254740993`, `9007199254740993.0`},
		{`{"a":1,"a":2}`, ` {"a":1, "a":2}`},
		{`[]`, `[ ]`},
		{`1e400`, `10e399`},
	}
	seen := make(map[uint64]string)
	for _, group := range same {
		want := Hash([]byte(group[0]))
		for _, v := range group[1:] {
			if Hash([]byte(v)) != want {
				t.Errorf("%s and %s mean the same, and hash apart", group[0], v)
			}
		}
		if other, ok := seen[want]; ok {
			t.Errorf("%s and %s hash the same", group[0], other)
		}
		seen[want] = group[0]
	}
	for _, v := range []string{`9007199254740992`, `"100"`, `[0]`, `[[]]`, `{}`, `[{}]`, `null`, `"null"`, `-100`, `[1,2]`, `[2,1]`,
		`{"b":1,"a":[true,null]}`, `1e99999999999999999999`, `1e99999999999999999998`, `true`, `""`} {
		h := Hash([]byte(v))
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s hash the same", v, other)
		}
		seen[h] = v
	}
}

type delta struct {
	Pointer, Recorded, Live string
	Spelling                bool
}

func deltas(ds []Delta) (out []delta) {
	for _, d := range ds {
		out = append(out, delta{d.Pointer, string(d.Recorded), string(d.Live), d.Spelling})
	}
	return out
}

func TestCompare(t *testing.T) {
	tests := []struct {
		name, recorded, live string
		want                 []delta
	}{
		{"same", `{"a":1,"b":2}`, ` {"b":2,"a":1}`, nil},
		{"value", `{"a":[1,{"x/y":2}]}`, `{"a":[1,{"x/y":3}]}`, []delta{{"/a/1/x~1y", "2", "3", false}}},
		{"spelling", `{"a":1.0}`, `{"a":1}`, []delta{{"/a", "1.0", "1", true}}},
		{"gone and new", `{"a":1}`, `{"b":1}`, []delta{{"/a", "1", "", false}, {"/b", "", "1", false}}},
		{"longer", `[1]`, `[1,2,3]`, []delta{{"/1", "", "2", false}, {"/2", "", "3", false}}},
		{"shorter", `[1,2]`, `[1]`, []delta{{"/1", "2", "", false}}},
		{"kind", `{"a":"1"}`, `{"a":1}`, []delta{{"/a", `"1"`, "1", false}}},
		{"repeated names", `{"a":1,"a":2}`, `{"a":1,"a":3}`, []delta{{"/a", "2", "3", false}}},
		{"big numbers", `9007199254740993`, `9007199254740992`, []delta{{"", "9007199254740993", "9007199254740992", false}}},
		{"escapes", `"\u00e9"`, `"é"`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := deltas(Compare([]byte(test.recorded), []byte(test.live)))
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCompareDeep(t *testing.T) {
	deep := func(leaf string) []byte {
		return []byte(strings.Repeat("[", 5000) + leaf + strings.Repeat("]", 5000))
	}
	got := Compare(deep("1"), deep("2"))
	if len(got) != 1 || got[0].Pointer != strings.Repeat("/0", maxCompareDepth) {
		t.Errorf("got %d differences, want one at depth %d", len(got), maxCompareDepth)
	}
}

func TestPattern(t *testing.T) {
	bound := Bindings{"[redacted:token:1]": TextValue("s3"), "[path:cwd]": TextValue("/w")}
	tests := []struct {
		name, recorded, live string
		want                 map[string]string
		ok                   bool
	}{
		{"whole string", `{"k":"[redacted:key:2]"}`, `{"k":"abc"}`, map[string]string{"[redacted:key:2]": `"abc"`}, true},
		{"a number", `{"k":"[redacted:key:2]"}`, `{"k":12}`, map[string]string{"[redacted:key:2]": `12`}, true},
		{"bound", `["[redacted:token:1]"]`, `["s3"]`, nil, true},
		{"bound to another", `["[redacted:token:1]"]`, `["s4"]`, nil, false},
		{"inside", `"Bearer [redacted:x:7] end"`, `"Bearer a b end"`, map[string]string{"[redacted:x:7]": `"a b"`}, true},
		{"twice, the same", `"[redacted:x:7]-[redacted:x:7]"`, `"ab-ab"`, map[string]string{"[redacted:x:7]": `"ab"`}, true},
		{"twice, not the same", `"[redacted:x:7]-[redacted:x:7]"`, `"ab-ac"`, nil, false},
		{"dash in the value", `"[redacted:x:7]-[redacted:x:7]"`, `"a-b-a-b"`, map[string]string{"[redacted:x:7]": `"a-b"`}, true},
		{"path", `"[path:cwd]/a.txt"`, `"/w/a.txt"`, nil, true},
		{"other path", `"[path:cwd]/a.txt"`, `"/x/a.txt"`, nil, false},
		{"literal", `"[[redacted:token:1]"`, `"[redacted:token:1]"`, nil, true},
		{"no placeholder", `"[redacted:token]"`, `"anything"`, nil, false},
		{"more keys", `{"k":"[redacted:key:2]"}`, `{"k":"abc","l":1}`, nil, false},
		{"other order", `{"k":"[redacted:key:2]","l":1}`, `{"l":1.0,"k":"v"}`, map[string]string{"[redacted:key:2]": `"v"`}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := Pattern{Recorded: []byte(test.recorded), Bound: bound}
			got, ok := p.Match([]byte(test.live))
			if ok != test.ok {
				t.Fatalf("matches: %v", ok)
			}
			if !ok {
				return
			}
			var values map[string]string
			for name, v := range got {
				if values == nil {
					values = make(map[string]string)
				}
				values[name] = string(v.JSON)
			}
			if d := cmp.Diff(test.want, values); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFill(t *testing.T) {
	b := Bindings{"[redacted:key:1]": TextValue(`a"b`), "[redacted:n:2]": {JSON: []byte("17"), Text: "17"}}
	var missing []string
	got := b.Fill(nil, []byte(`{"x":"[redacted:key:1]", "y":["<[redacted:n:2]>","[redacted:n:2]"],"[redacted:n:2]":"[[path:home]","z":"[path:home]/é\u00e9","q":1.0}`),
		func(p string) { missing = append(missing, p) })
	want := `{"x":"a\"b", "y":["<17>",17],"17":"[path:home]","z":"[path:home]/éé","q":1.0}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d := cmp.Diff([]string{"[path:home]"}, missing); d != "" {
		t.Error(d)
	}
}

// Whatever bytes come, the walks end inside them.
func FuzzWalks(f *testing.F) {
	for _, s := range []string{``, `{`, `{"`, `{"a`, `{"a":`, `[1,`, `"\`, `{"a":[{"b":"[redacted:x:1]"}]}`, `[,,]`, `{"a"1}`, `-`, `[}`} {
		f.Add([]byte(s), []byte(s))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		Hash(a)
		Compare(a, b)
		if Hash(a) == Hash(b) && len(a) < 1 != (len(b) < 1) {
			return
		}
		(&Pattern{Recorded: a}).Match(b)
		Bindings(nil).Fill(nil, a, nil)
		At(a, "a", "b")
		if start, ok := Begin(a, "a"); ok && start >= len(a) {
			t.Errorf("%q: a value that begins at %d", a, start)
		}
	})
}

// Begin finds the value of a member without looking at what comes after it.
func TestBegin(t *testing.T) {
	for text, want := range map[string]string{
		`{"at":1.5,"x":{"a":"}"},"a":{"b":1}`: `{"b":1}`,
		`{ "a" : 7}`:                          `7}`,
		`{"\u0061":[]}`:                       `[]}`,
		`{"b":{"a":1}}`:                       ``,
		`["a"]`:                               ``,
	} {
		start, ok := Begin([]byte(text), "a")
		if ok != (want != "") || ok && text[start:] != want {
			t.Errorf("%s: %d, %v", text, start, ok)
		}
	}
}
