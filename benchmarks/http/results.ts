import type { StartUp } from './measure-start-up.ts'
import type { Score } from './play-contest.ts'

/** Everything one run measured. */
export interface Results {
  /** Scores by contest name. */
  readonly scores: ReadonlyMap<string, readonly Score[]>
  readonly startUps: readonly StartUp[]
}
