package steps

// replaySteps is about playing cassettes.
var replaySteps = []Step{}
