package main

func measureCassette(*programs) error { return nil }
func scanOnce(string) error           { return nil }
