import { type Figure, figureOf } from '../method/statistics.ts'
import { judge, type Target } from '../method/targets.ts'
import type { Results } from './play-rounds.ts'

const leastShare = 0.9
const maxDelayMs = 20

/** Compares the results with every target. */
export function targetsOf(results: Results): readonly Target[] {
  const share = shareOf(results)
  const delay = figureOf(results.ours.map(({ delayMs }) => delayMs))
  return [
    {
      claim: `200 logins at once are hashed at ${leastShare} or more of the rate of bare crypto.argon2`,
      measured: rangeOf(share, 2, ' ×'),
      verdict: judge(share, (value) => value >= leastShare),
    },
    {
      claim: `meanwhile the delay of the event loop is at most ${maxDelayMs} ms (p99)`,
      measured: rangeOf(delay, 1, ' ms'),
      verdict: judge(delay, (value) => value <= maxDelayMs),
    },
  ]
}

/** Our rate divided by the bare one of the same round. */
export function shareOf({ ours, bare }: Results): Figure {
  return figureOf(
    ours.map(({ hashesPerSecond }, round) => {
      return hashesPerSecond / (bare[round]?.hashesPerSecond ?? NaN)
    }),
  )
}

/** A figure with its interval, as text. */
export function rangeOf({ median, interval }: Figure, digits: number, unit: string): string {
  const { low, high } = interval
  return `${median.toFixed(digits)}${unit} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}
