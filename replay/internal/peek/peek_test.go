package peek

import "testing"

func TestMember(t *testing.T) {
	for _, c := range []struct {
		in   string
		path []string
		want string
	}{
		{`{"a":1,"b":{"c": [1, 2] }}`, []string{"b", "c"}, `[1, 2]`},
		{`{"a":1,"a":2}`, []string{"a"}, `2`},
		{` {"a" : 1e400 } `, []string{"a"}, `1e400`},
		{`{"b\u0061":"\ud800"}`, []string{"ba"}, `"\ud800"`},
		{`{"a":1`, []string{"b"}, ``},
		{`[1]`, []string{"a"}, ``},
		{`nonsense`, []string{"a"}, ``},
		{``, []string{"a"}, ``},
	} {
		if got := string(Member([]byte(c.in), c.path...)); got != c.want {
			t.Errorf("Member(%s, %v) = %s, want %s", c.in, c.path, got, c.want)
		}
	}
}

func TestString(t *testing.T) {
	for in, want := range map[string]string{`"a\nb"`: "a\nb", `12`: "", `"\ud800"`: "\uFFFD", ``: ""} {
		if got := String([]byte(in)); got != want {
			t.Errorf("String(%s) = %q, want %q", in, got, want)
		}
	}
}
