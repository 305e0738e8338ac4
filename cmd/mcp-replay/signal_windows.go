package main

// dieBy does nothing: no process ends by a signal here.
func dieBy(string) {}
