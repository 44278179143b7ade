'use strict'

// Read before anything else, by any Node: only syntax that old releases parse too.

/** The major releases of Node that run the framework: `engines` in package.json says the same. */
const needed = { from: 24, below: 27 }

/** Those that run the commands which only explain or copy files. */
const neededToCopy = { from: 20, below: Infinity }

/** The sentence to print when `version` (such as `20.1.0`) is outside `range`, else `null`. */
function nodeVersionProblem(version, range) {
  const major = Number.parseInt(version, 10)
  if (major >= range.from && major < range.below) return null
  return (
    'framework needs Node ' +
    needed.from +
    ' to ' +
    (needed.below - 1) +
    ' and this is Node ' +
    version +
    ': run it through an npm script of a project that has its own Node as a package, as new ' +
    'projects do (npm puts that Node first), or install Node ' +
    needed.from +
    '.'
  )
}

module.exports = { needed, neededToCopy, nodeVersionProblem }
