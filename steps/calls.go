package steps

// callsSteps is about calls and their results.
var callsSteps = []Step{}
