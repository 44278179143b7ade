import { ConfigurationError } from '../base/errors.ts'

/** A store of expiring rows: tokens, trusted devices, sessions, rate limits, a cache. */
export interface Sweepable {
  /** Deletes what has expired and returns how many. */
  sweep(): number | Promise<number>
}

/** The stores that `framework sweep` sweeps, by name. */
export type Sweeps = Readonly<Record<string, Sweepable>>

/** @throws ConfigurationError E_PROJECT unless each of them can be swept. */
export function checkSweeps(sweeps: unknown): void {
  if (!isPlain(sweeps)) throw problem('must return an object such as { tokens, trust, sessions }')
  for (const [name, entry] of Object.entries(sweeps)) {
    if (!isSweepable(entry)) throw problem(`returns "${name}", which has no sweep() method`)
  }
}

// They may come from untyped code. A promise is rejected too: it is an object without entries, so
// nothing would ever be swept.
function isPlain(sweeps: unknown): sweeps is object {
  if (typeof sweeps !== 'object' || sweeps === null) return false
  const prototype: unknown = Object.getPrototypeOf(sweeps)
  return prototype === Object.prototype || prototype === null
}

function isSweepable(entry: unknown): entry is Sweepable {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'sweep' in entry &&
    typeof entry.sweep === 'function'
  )
}

function problem(text: string): ConfigurationError {
  return new ConfigurationError('E_PROJECT', `defineProject: "sweeps" ${text}`)
}
