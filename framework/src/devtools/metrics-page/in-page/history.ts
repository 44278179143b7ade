import { pointOf } from './point.ts'
import type { Point } from './point.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { lastSteps, stepOf, weightsOf } from './step.ts'
import type { Step } from './step.ts'

/** The data kept by the page. */
export interface History {
  /** The latest sample; null before the first. */
  readonly sample: Sample | null
  /** The steps that the newest rates are averaged over. */
  readonly steps: readonly Step[]
  /** The weight of each of them. */
  readonly weights: readonly number[]
  /** Oldest first. */
  readonly points: readonly Point[]
  /** The tone of each worker's lines, by its id. */
  readonly tones: ReadonlyMap<string, number>
}

/** What the page keeps, in seconds. */
export interface Memory {
  /** Points older than this are dropped. */
  readonly span: number
  /** Rates and percentiles are averaged over this time, those of a fleet over twice as long. */
  readonly average: number
  /** After a longer gap, averages start over and lines are interrupted. */
  readonly silence: number
}

/** The history before the first sample. */
export function emptyHistory(): History {
  return { sample: null, steps: [], weights: [], points: [], tones: new Map() }
}

/** The history with one more sample; unchanged if the sample is not newer. */
export function remember(history: History, sample: Sample, memory: Memory): History {
  const { sample: before } = history
  const seconds = before === null ? Infinity : sample.at - before.at
  // If the clock was set back, the order of points is meaningless.
  if (seconds < -memory.silence) return remember(emptyHistory(), sample, memory)
  if (seconds <= 0) return history
  const { average, silence, span } = memory
  const fleet = seriesOf(sample, 'process_uptime_seconds').length > 1
  const steps =
    before === null || seconds > silence
      ? []
      : lastSteps([...history.steps, stepOf(before, sample)], fleet ? 2 * average : average)
  const kept = history.points.filter(({ at }) => at >= sample.at - span)
  const weights = weightsOf(steps, average, fleet)
  const points = [...kept, pointOf(sample, steps, weights)]
  return { sample, steps, weights, points, tones: workerTones(history.tones, points) }
}

/** A worker keeps its tone while it is visible; a new one gets a free tone. */
export function workerTones(
  tones: ReadonlyMap<string, number>,
  points: readonly Point[],
): Map<string, number> {
  const seen = new Set<string>()
  for (const { values } of points) {
    for (const key of values.keys()) {
      const [, prefix, worker] = /^(cpu|memory) (.*)$/s.exec(key) ?? []
      if (prefix !== undefined && worker !== undefined) seen.add(worker)
    }
  }
  const kept = new Map([...tones].filter(([worker]) => seen.has(worker)))
  for (const worker of seen) {
    if (kept.has(worker)) continue
    // Red and grey last: they suggest errors and ended workers.
    const [first] = [1, 3, 4, 2, 6, 7, 8, 5]
      .map((tone) => ({ tone, uses: [...kept.values()].filter((used) => used === tone).length }))
      .sort((one, other) => one.uses - other.uses)
    kept.set(worker, first?.tone ?? 1)
  }
  return kept
}
