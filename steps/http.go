package steps

// httpSteps is about Streamable HTTP.
var httpSteps = []Step{}
