import { type Figure, figureOf, median } from '../method/statistics.ts'
import type { ApplicationSize } from './application-size.ts'
import { Labels } from './entrants.ts'
import type { StartUps } from './measure-start-up.ts'
import type { Sample, Score, Scores } from './play-task.ts'
import type { Task } from './tasks.ts'

/** Everything one run measured. */
export interface Results {
  /** The scores of each task by its name. */
  readonly scores: ReadonlyMap<string, Scores>
  readonly startUps: StartUps
  readonly sizes: ReadonlyMap<string, ApplicationSize>
}

/** A table of the report: a task, and which CPU counts. */
export interface Contest {
  readonly title: string
  readonly task: Task
  readonly microsOf: (sample: Sample) => number
}

/** A sign-in is two contests from one measurement: with everything, and without what other threads do. */
export function contestsOf(tasks: readonly Task[]): readonly Contest[] {
  return tasks.flatMap((task) => {
    const { title, kind } = task
    const whole: Contest = { title, task, microsOf: ({ microsPerRequest }) => microsPerRequest }
    if (kind !== 'login') return [whole]
    return [
      { ...whole, title: `${title}, hashing included` },
      {
        title: `${title}, main thread only: hashing excluded`,
        task,
        microsOf: ({ threadMicrosPerRequest }) => threadMicrosPerRequest,
      },
    ]
  })
}

/** The scores of a contest; none when it was left out. */
export function scoresOf({ scores }: Results, { task }: Contest): Scores {
  return scores.get(task.name) ?? new Map()
}

/** CPU of a server divided by ours in the same round; null when one of them took no part. */
export function ratioToOurs(results: Results, contest: Contest, label: string): Figure | null {
  const scores = scoresOf(results, contest)
  const samples = scores.get(label)?.samples ?? []
  const ours = scores.get(Labels.Ours)?.samples ?? []
  if (samples.length === 0 || ours.length === 0) return null
  return figureOf(
    samples.map((sample, round) => {
      const own = ours[round]
      return own === undefined ? Number.NaN : contest.microsOf(sample) / contest.microsOf(own)
    }),
  )
}

/** The median CPU time per request. */
export function microsOf({ microsOf: micros }: Contest, { samples }: Score): number {
  return median(samples.map(micros))
}

/** The median throughput. */
export function throughputOf({ samples }: Score): number {
  return median(samples.map(({ requestsPerSecond }) => requestsPerSecond))
}

/** The median share of a core that a server had while under load. */
export function coreShareOf({ samples }: Score): number {
  return median(
    samples.map(
      ({ microsPerRequest, requestsPerSecond }) => (microsPerRequest * requestsPerSecond) / 1e6,
    ),
  )
}
