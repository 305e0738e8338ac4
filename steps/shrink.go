package steps

// shrinkSteps is about the shortest session that still shows something.
var shrinkSteps = []Step{}
