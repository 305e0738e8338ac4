package steps

// builtSteps is about the built-in servers.
var builtSteps = []Step{}
