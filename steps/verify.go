package steps

// verifySteps is about verifying a cassette against a server.
var verifySteps = []Step{}
