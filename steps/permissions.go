package steps

// permissionsSteps is about what is asked and what is allowed.
var permissionsSteps = []Step{}
