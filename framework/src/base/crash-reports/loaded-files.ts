import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

let users = 0
let hooks: { deregister(): void } | null = null
let last = ''
/** The last file of an import, by what Node tells about that import. */
const lastOf = new WeakMap<object, string>()
const failedAt = new WeakMap<object, string>()

/**
 * Remembers from here on which file was loaded last, since Node does not tell which module it could
 * not parse. It looks at each load and changes none; the answer ends it.
 */
export function rememberLoads(): () => void {
  users += 1
  if (users === 1) begin()
  let ended = false
  return () => {
    if (ended) return
    ended = true
    users -= 1
    if (users === 0) end()
  }
}

/** The file that was being loaded when this error was thrown; null when that is not known. */
export function fileOfFailedLoad(error: Error): string | null {
  const url = failedAt.get(error) ?? last
  try {
    return url === '' ? null : fileURLToPath(url)
  } catch {
    return null
  }
}

function begin(): void {
  subscribe('tracing:module.import:end', onImportBegun)
  subscribe('tracing:module.import:error', onFailure)
  subscribe('tracing:module.require:error', onFailure)
  // Commands that only copy files run on older releases, which have no such hooks.
  if (typeof nodeModule.registerHooks !== 'function') return
  hooks = nodeModule.registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith('file:')) last = url
      return nextLoad(url, context)
    },
  })
}

function end(): void {
  unsubscribe('tracing:module.import:end', onImportBegun)
  unsubscribe('tracing:module.import:error', onFailure)
  unsubscribe('tracing:module.require:error', onFailure)
  hooks?.deregister()
  hooks = null
  last = ''
}

// An import loads all its files before it gives back its promise; another one may follow at once,
// before anybody hears that this one failed.
function onImportBegun(load: unknown): void {
  if (isObject(load)) lastOf.set(load, last)
}

function onFailure(load: unknown): void {
  if (!isObject(load) || !('error' in load) || !isObject(load.error)) return
  // The innermost load, which is told first, is the one that failed.
  if (!failedAt.has(load.error)) failedAt.set(load.error, lastOf.get(load) ?? last)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
