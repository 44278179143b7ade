import { redact } from './redact.ts'
import { maskText } from './mask-text.ts'

const wrapped = new WeakMap<object, Error>()

/**
 * Returns an `Error` for any thrown value. The same thrown object always yields the same error, so
 * that "once per instance" also holds for objects that are not errors. Never throws.
 */
export function toError(throwable: unknown): Error {
  if (isError(throwable)) return throwable
  if (typeof throwable !== 'object' || throwable === null) return wrap(throwable)
  const known = wrapped.get(throwable)
  if (known !== undefined) return known
  const error = wrap(throwable)
  wrapped.set(throwable, error)
  return error
}

function isError(throwable: unknown): throwable is Error {
  try {
    if (throwable instanceof Error) return true
    // An `import` would read every export, and load what is behind the lazy ones.
    return process.getBuiltinModule('node:util').types.isNativeError(throwable)
  } catch {
    // A proxy that throws.
    return false
  }
}

function wrap(throwable: unknown): Error {
  const message = `thrown value is not an Error: ${shown(throwable)}`
  const error = new Error(message, { cause: throwable })
  error.name = 'NonErrorThrown'
  // The current stack is the framework's own and would mislead: the throw point is unknown.
  error.stack = `NonErrorThrown: ${message}`
  return error
}

function shown(throwable: unknown): string {
  if (typeof throwable === 'string') return throwable
  try {
    const value = typeof throwable === 'object' ? redact(throwable) : throwable
    return process.getBuiltinModule('node:util').inspect(value, { depth: 1 })
  } catch {
    return '[cannot be displayed]'
  }
}

/** The message of an error with secrets redacted. */
export function messageOf(error: Error): string {
  try {
    const message: unknown = error.message
    return maskText(String(message))
  } catch {
    return ''
  }
}
