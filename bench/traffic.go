package main

func measureTraffic(*programs) error { return nil }
