import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../../base/is-record.ts'

let users = 0
let hooks: { deregister(): void } | null = null
let last = ''
/** The last file that an import loaded, by the object its tracing events share. */
const lastOf = new WeakMap<object, string>()
const failedAt = new WeakMap<object, string>()

/**
 * Tracks which file was loaded last, because Node does not say which module it could not parse.
 * Loading itself is not changed. Returns a function that stops tracking.
 */
export function trackLoadedFiles(): () => void {
  users += 1
  if (users === 1) start()
  let stopped = false
  return () => {
    if (stopped) return
    stopped = true
    users -= 1
    if (users === 0) stop()
  }
}

/** The file that was being loaded when this error was thrown; null when unknown. */
export function fileOfFailedLoad(error: Error): string | null {
  const url = failedAt.get(error) ?? last
  try {
    return url === '' ? null : fileURLToPath(url)
  } catch {
    return null
  }
}

function start(): void {
  subscribe('tracing:module.import:end', onImportReturned)
  subscribe('tracing:module.import:error', onFailure)
  subscribe('tracing:module.require:error', onFailure)
  // Commands that only copy files also run on older Node releases, which lack these hooks.
  if (typeof nodeModule.registerHooks !== 'function') return
  hooks = nodeModule.registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith('file:')) last = url
      return nextLoad(url, context)
    },
  })
}

function stop(): void {
  unsubscribe('tracing:module.import:end', onImportReturned)
  unsubscribe('tracing:module.import:error', onFailure)
  unsubscribe('tracing:module.require:error', onFailure)
  hooks?.deregister()
  hooks = null
  last = ''
}

// An import loads all its files before it returns its promise. The next import may start before
// the failure of this one is published.
function onImportReturned(load: unknown): void {
  if (isRecord(load)) lastOf.set(load, last)
}

function onFailure(load: unknown): void {
  if (!isRecord(load) || !isRecord(load['error'])) return
  // The innermost load is published first, and it is the one that failed.
  if (!failedAt.has(load['error'])) failedAt.set(load['error'], lastOf.get(load) ?? last)
}
