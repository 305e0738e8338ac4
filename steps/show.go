package steps

// showSteps is about a person's view of a cassette.
var showSteps = []Step{}
