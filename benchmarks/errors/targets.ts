import type { Figure } from '../method/statistics.ts'
import { judge, type Target } from '../method/targets.ts'
import { failureCost, pageRatio, type Results } from './results.ts'

const leastRatio = 3
const maxMicros = 50

/** Compares the results with every target. */
export function targetsOf(results: Results): readonly Target[] {
  const ratio = pageRatio(results, 'again', 'wallMicros')
  return [
    {
      claim: `a warm page of 22 frames takes Youch 4 at least ${leastRatio} × as long as ours`,
      measured: rangeOf(ratio, 2, ' ×'),
      verdict: judge(ratio, (value) => value >= leastRatio),
    },
    ...results.requests.flatMap((score) =>
      (['silent', 'logged'] as const).map((kind): Target => {
        const cost = failureCost(score, kind, 'cpuMicros')
        const told = kind === 'silent' ? 'nobody told' : 'logged to a file'
        return {
          claim: `${score.title}: a failure, ${told}, adds at most ${maxMicros} µs of CPU`,
          measured: rangeOf(cost, 1, ' µs'),
          verdict: judge(cost, (micros) => micros <= maxMicros),
        }
      }),
    ),
  ]
}

/** A figure with its interval, as text. */
export function rangeOf({ median, interval }: Figure, digits: number, unit: string): string {
  const { low, high } = interval
  return `${median.toFixed(digits)}${unit} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}
