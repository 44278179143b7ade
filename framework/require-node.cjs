'use strict'

// Preloaded (`node -r`) by the scripts of this repository, because an old Node cannot even load
// the TypeScript file that follows and would answer with an error about a file extension.

const { needed, nodeVersionProblem } = require('./bin/node-version.cjs')

const problem = nodeVersionProblem(process.versions.node, needed)
if (problem !== null) {
  process.stderr.write(problem + '\n')
  process.exit(1)
}
