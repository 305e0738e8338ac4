package steps

// settingsSteps is about the settings file.
var settingsSteps = []Step{}
