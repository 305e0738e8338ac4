// Package meaning compares JSON by what it says.
//
// Two values mean the same when they differ only in white space, in the order of an object's keys, in how a number
// is spelt (1, 1.0, 1E0) or in how a string is escaped. [Hash] turns a meaning into a number without building a tree,
// [Compare] lists the places where two values differ, and [Pattern] finds what stands where a recording has a
// placeholder.
//
// Everything here reads the bytes in place: no value is decoded to a Go value, and no number passes through a float64.
package meaning
