// Preloaded into desktop-commander: in a container it lists the accounts of the machine in the descriptions of its tools,
// and a recording would tell them.
const fs = require('fs')
const { existsSync } = fs
fs.existsSync = (path) => path !== '/.dockerenv' && existsSync(path)
