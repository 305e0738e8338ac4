package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestNoGodog holds godog, which runs "go env" at every start of a program that links it, out of the command; and the
// testing packages, whose flags would be the command's.
func TestNoGodog(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.Contains(path, "cucumber/godog") || path == "testing" || strings.HasSuffix(path, "/httptest") {
			t.Errorf("the command links %s", path)
		}
	}
}
