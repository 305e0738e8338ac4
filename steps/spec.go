package steps

// specSteps is about features written from a cassette.
var specSteps = []Step{}
