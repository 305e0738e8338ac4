package steps

// serverSteps starts and stops the server that a feature is about.
var serverSteps = []Step{}
