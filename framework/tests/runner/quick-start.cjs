'use strict'

// Preloaded by every Node process of a test run, through NODE_OPTIONS: hundreds of them load hundreds
// of sources each. Programs under test behave the same; only their start costs less.

const { hash } = require('node:crypto')
const fs = require('node:fs')
const { registerHooks, stripTypeScriptTypes } = require('node:module')
const path = require('node:path')
const { fileURLToPath, pathToFileURL } = require('node:url')

const repository = pathToFileURL(path.join(__dirname, '..', '..', '..')).href + '/'
const sources = `${repository}framework/src/`

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

/**
 * Dozens of tests run a copy of the demo. Node caches by path, and so would take the types out of each copy
 * again; this finds them by their text, beside the cache of the run.
 */
function load(url, context, next) {
  const { NODE_COMPILE_CACHE: cache = '' } = process.env
  const isCopy = context.format === 'module-typescript' && !url.startsWith(repository)
  const code = isCopy && cache !== '' ? withoutTypes(url, path.join(cache, '..', 'stripped')) : null
  return code === null ? next(url, context) : { format: 'module', source: code, shortCircuit: true }
}

/** The code of a file as Node itself runs it; null where that fails, as Node then says better. */
function withoutTypes(url, folder) {
  const warn = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  try {
    const text = fs.readFileSync(fileURLToPath(url), 'utf8')
    const place = path.join(folder, hash('sha1', text))
    // Node does not warn of the same when it does this itself.
    process.emitWarning = () => {}
    if (!fs.existsSync(place)) keep(place, stripTypeScriptTypes(text))
    return `${fs.readFileSync(place, 'utf8')}\n\n//# sourceURL=${url}`
  } catch {
    return null
  } finally {
    if (warn === undefined) delete process.emitWarning
    else Object.defineProperty(process, 'emitWarning', warn)
  }
}

function keep(place, code) {
  const unfinished = `${place}.${process.pid}`
  fs.mkdirSync(path.dirname(place), { recursive: true })
  fs.writeFileSync(unfinished, code)
  fs.renameSync(unfinished, place)
}

// Some tests run older versions of Node, which have no such hooks.
if (registerHooks !== undefined) registerHooks({ resolve, load })
