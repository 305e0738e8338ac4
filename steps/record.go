package steps

// recordSteps is about recording.
var recordSteps = []Step{}
