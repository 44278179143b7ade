'use strict'

// Preloaded by every Node process of a test run, through NODE_OPTIONS: hundreds of them load hundreds
// of sources each. Programs under test behave the same; only their start costs less.

const { registerHooks } = require('node:module')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const sources = pathToFileURL(path.join(__dirname, '..', '..', 'src')).href + '/'

/**
 * Among the sources every specifier names a file as it is: no other extension is tried, there is no link and
 * no other package.json. Node would look all of that up for each import, a third of the time of a start.
 */
function resolve(specifier, context, next) {
  const { parentURL } = context
  const isSource =
    parentURL !== undefined &&
    parentURL.startsWith(sources) &&
    specifier.startsWith('.') &&
    specifier.endsWith('.ts')
  if (!isSource) return next(specifier, context)
  const { href } = new URL(specifier, parentURL)
  return { url: href, format: 'module-typescript', shortCircuit: true }
}

// Some tests run older versions of Node, which have no such hooks.
if (registerHooks !== undefined) registerHooks({ resolve })
