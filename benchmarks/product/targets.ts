import type { Figure } from '../method/statistics.ts'
import { judge, type Target, Verdicts } from '../method/targets.ts'
import { entrants, Labels } from './entrants.ts'
import { type Contest, contestsOf, ratioToOurs, type Results } from './results.ts'
import { tasks } from './tasks.ts'

/** How many times the CPU of the limit ours may need. */
const atMostByHand = 1.25

const peers = entrants.filter(({ label }) => label !== Labels.Ours && label !== Labels.ByHand)

/** Compares the results with the targets. */
export function targetsOf(
  results: Results,
  contests: readonly Contest[] = contestsOf(tasks),
): readonly Target[] {
  return contests.flatMap((contest) => {
    const targets = peers.map(({ label }) => peerTarget(results, contest, label))
    return targets.concat(limitTarget(results, contest))
  })
}

function peerTarget(results: Results, contest: Contest, label: string): Target {
  const { atLeast } = contest.task
  const bound = atLeast === 1 ? 'more CPU than ours' : `at least ${atLeast} × our CPU`
  const claim = `${contest.title}: ${label} needs ${bound}`
  const ratio = ratioToOurs(results, contest, label)
  if (ratio === null) return unmeasured(claim)
  const verdict = judge(ratio, (value) => (atLeast === 1 ? value > 1 : value >= atLeast))
  return { claim, measured: `${ratio.median.toFixed(2)} × (${rangeOf(ratio)})`, verdict }
}

function limitTarget(results: Results, contest: Contest): Target {
  const claim = `${contest.title}: ours needs at most ${atMostByHand} × the CPU of the same by hand`
  const ratio = ratioToOurs(results, contest, Labels.ByHand)
  if (ratio === null) return unmeasured(claim)
  // The ratio is the other way round: that by hand against ours.
  const verdict = judge(ratio, (value) => value >= 1 / atMostByHand)
  const { low, high } = ratio.interval
  const range = `${(1 / high).toFixed(2)}–${(1 / low).toFixed(2)}`
  return { claim, measured: `${(1 / ratio.median).toFixed(2)} × (${range})`, verdict }
}

/** The interval of a ratio, as text. */
export function rangeOf({ interval: { low, high } }: Figure): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`
}

function unmeasured(claim: string): Target {
  return { claim, measured: '', verdict: Verdicts.Unmeasured }
}
