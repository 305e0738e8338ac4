package steps

// toolsSteps is about what the server offers.
var toolsSteps = []Step{}
