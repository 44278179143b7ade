import { ConfigurationError } from '../../base/errors.ts'

/** Something that holds what expires: tokens, trusted devices, sessions, rate limits, a cache. */
export interface Sweepable {
  /** Drops what has expired; the number of it. */
  sweep(): number | Promise<number>
}

/** What a project sweeps, by the name it is listed under. */
export type Sweeps = Readonly<Record<string, Sweepable>>

/** @throws ConfigurationError E_PROJECT unless each of them can be swept. */
export function checkSweeps(sweeps: unknown): void {
  if (!isPlain(sweeps)) throw problem('must give an object such as { tokens, trust, sessions }')
  for (const [name, entry] of Object.entries(sweeps)) {
    if (!isSweepable(entry)) throw problem(`gives "${name}", which has no sweep() method`)
  }
}

// They may come from code that no compiler has seen. A promise, too, is an object without entries,
// of which nothing would ever be swept.
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
