package steps

// diffSteps is about what changed between two recordings.
var diffSteps = []Step{}
