import type { Frame } from '../stack/frames.ts'

/** The calls that a report lists, and how many it leaves out. */
export interface ShownCalls {
  readonly calls: readonly Frame[]
  readonly left: number
}

/** From this verbosity on nothing is left out. */
const fullTraceVerbosity = 6

/** The calls that led to the throw point, nearest first; none below verbosity 3. */
export function shownCalls(
  frames: readonly Frame[],
  place: Frame | null,
  verbosity: number,
): ShownCalls {
  if (verbosity < 3) return { calls: [], left: 0 }
  const below = place === null ? frames : frames.slice(frames.indexOf(place) + 1)
  const max = verbosity >= fullTraceVerbosity ? below.length : 3 * (Math.floor(verbosity) - 2)
  return { calls: below.slice(0, max), left: Math.max(0, below.length - max) }
}
