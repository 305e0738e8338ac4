package steps

// formatsSteps is about import and export.
var formatsSteps = []Step{}
