// Package browser holds the test of the host's page in a real browser. It is behind the build tag "browser", since
// "make test" needs Go alone:
//
//	go test -tags browser ./interop/browser
//
// It fails where there is no Chromium: the one that the variable CHROMIUM names, or the one in PATH.
package browser
