package steps

// clientSteps is about the client's own behaviour, below what the public steps see.
var clientSteps = []Step{}
