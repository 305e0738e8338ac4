package steps

// lifecycleSteps is about the life of a server's connection.
var lifecycleSteps = []Step{}
