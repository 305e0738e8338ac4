package steps

// namesSteps is about tools as the host sees them.
var namesSteps = []Step{}
