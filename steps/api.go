package steps

// apiSteps is about the HTTP routes, the event stream and the page.
var apiSteps = []Step{}
