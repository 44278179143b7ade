import { pointOf } from './point.ts'
import type { Point } from './point.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { lastSteps, stepOf, weightsOf } from './step.ts'
import type { Step } from './step.ts'

/** What the page remembers. */
export interface History {
  /** The newest sample; null before the first. */
  readonly sample: Sample | null
  /** The steps that the newest rates are averaged over. */
  readonly steps: readonly Step[]
  /** Oldest first. */
  readonly points: readonly Point[]
  /** Which tone the lines of a worker have, by its id. */
  readonly tones: ReadonlyMap<string, number>
}

/** How the page remembers, in seconds. */
export interface Memory {
  /** Points older than this are forgotten. */
  readonly span: number
  /** Rates and percentiles are averaged over this long, those of a fleet over twice as long. */
  readonly average: number
  /** After a longer silence nothing is averaged with what was before, and lines break. */
  readonly silence: number
}

/** The memory of a page that has seen nothing. */
export function emptyHistory(): History {
  return { sample: null, steps: [], points: [], tones: new Map() }
}

/** The history with one more sample; the same one when the sample is not newer. */
export function remember(history: History, sample: Sample, memory: Memory): History {
  const { sample: before } = history
  const seconds = before === null ? Infinity : sample.at - before.at
  // A clock that was set back says nothing about the order of points any more.
  if (seconds < -memory.silence) return remember(emptyHistory(), sample, memory)
  if (seconds <= 0) return history
  const { average, silence, span } = memory
  const fleet = seriesOf(sample, 'process_uptime_seconds').length > 1
  const steps =
    before === null || seconds > silence
      ? []
      : lastSteps([...history.steps, stepOf(before, sample)], fleet ? 2 * average : average)
  const kept = history.points.filter(({ at }) => at >= sample.at - span)
  const points = [...kept, pointOf(sample, steps, weightsOf(steps, average, fleet))]
  return { sample, steps, points, tones: workerTones(history.tones, points) }
}

/** A worker keeps its tone as long as it can be seen; a new one gets one that is free. */
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
    // Red and grey last: they look like trouble and like what is over.
    const [first] = [1, 3, 4, 2, 6, 7, 8, 5]
      .map((tone) => ({ tone, uses: [...kept.values()].filter((used) => used === tone).length }))
      .sort((one, other) => one.uses - other.uses)
    kept.set(worker, first?.tone ?? 1)
  }
  return kept
}
