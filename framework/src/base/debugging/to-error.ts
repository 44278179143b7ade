import { inspect } from 'node:util'

const wrapped = new WeakMap<object, Error>()

/**
 * Gives an `Error` for whatever was thrown. The same thrown object always gives the same error,
 * so that "once per instance" holds for values that are not errors too.
 */
export function toError(throwable: unknown): Error {
  if (throwable instanceof Error) return throwable
  if (typeof throwable !== 'object' || throwable === null) return wrap(throwable)
  const known = wrapped.get(throwable)
  if (known !== undefined) return known
  const error = wrap(throwable)
  wrapped.set(throwable, error)
  return error
}

function wrap(throwable: unknown): Error {
  const shown = typeof throwable === 'string' ? throwable : inspect(throwable, { depth: 1 })
  const error = new Error(`thrown value is not an Error: ${shown}`, { cause: throwable })
  error.name = 'NonErrorThrown'
  return error
}
