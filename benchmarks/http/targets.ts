import { compare, type Comparison, ourScore, scoreOf } from './comparison.ts'
import { Labels, ours, peers } from './contests.ts'
import type { Results } from './results.ts'
import { figureOf } from '../method/statistics.ts'
import { judge, type Target, Verdicts } from '../method/targets.ts'

/** Compares the results with every target. */
export function targetsOf(results: Results): readonly Target[] {
  return [
    ...['json', 'param'].flatMap((contest) => cpuTargets(results, contest)),
    ...inputTargets(results),
    startUpTarget(results),
    idleRssTarget(results),
    costTarget(results, Labels.Passes, '5 composed middlewares that only call next cost', 0.05),
    costTarget(results, Labels.Headers, '5 composed middlewares that set a header each cost', 0.05),
    costTarget(results, Labels.Telemetry, 'telemetry costs', 0.03),
    unheardEventTarget(results),
  ]
}

const cpuRatios: readonly (readonly [label: string | undefined, atLeast: number])[] = [
  [peers['raw'], 1.05],
  [peers['fastify'], 1.12],
  [`${peers['fastify']}, optimized`, 1.05],
  [peers['hono'], 1.2],
  [peers['adonis'], 1.5],
  [peers['express'], 2],
]

function cpuTargets(results: Results, contest: string): readonly Target[] {
  return cpuRatios.map(([label, atLeast]) => cpuTarget(results, contest, label, atLeast))
}

function cpuTarget(
  results: Results,
  contest: string,
  label: string | undefined,
  atLeast: number,
): Target {
  const claim = `${contest}: CPU per request of ${label ?? ''} is at least ${atLeast} × ours`
  const compared = compareWithOurs(results, contest, label ?? '')
  if (compared === null) return unmeasured(claim)
  const { median, interval } = compared
  const range = `${interval.low.toFixed(3)}–${interval.high.toFixed(3)}`
  const verdict = judge(compared, (value) => value >= atLeast)
  return { claim, measured: `${median.toFixed(3)} × (${range})`, verdict }
}

/** Validating a body, against the same one taken as it comes, and against the validators of the peers. */
function inputTargets(results: Results): readonly Target[] {
  const ahead = (['fastify', 'hono', 'adonis'] as const).map((peer) => {
    return cpuTarget(results, 'input', peers[peer], 1)
  })
  return [validationTarget(results), ...ahead]
}

function validationTarget(results: Results): Target {
  const claim = 'input: a validated body takes at most 1.25 × the CPU of one that is not'
  const compared = compareWithOurs(results, 'input', Labels.Unchecked)
  if (compared === null) return unmeasured(claim)
  // `compared` is the other way round: the unvalidated one against ours.
  const verdict = judge(compared, (ratio) => ratio >= 1 / 1.25)
  return { claim, measured: `${(1 / compared.median).toFixed(3)} ×`, verdict }
}

function startUpTarget({ startUps }: Results): Target {
  const claim = 'start-up takes at most 150 ms'
  const times = startUps.find(({ entrant }) => entrant.server === ours)?.timesMs
  if (times === undefined) return unmeasured(claim)
  const figure = figureOf(times)
  const verdict = judge(figure, (timeMs) => timeMs <= 150)
  return { claim, measured: `${figure.median.toFixed(0)} ms`, verdict }
}

function idleRssTarget({ scores }: Results): Target {
  const claim = 'idle RSS is at most 15 MB above raw node:http'
  const own = ourScore(scores.get('json'))
  const raw = scoreOf(scores.get('json'), Labels.Raw)
  if (own === null || raw === null) return unmeasured(claim)
  const extraMegabytes = (own.idleRssBytes - raw.idleRssBytes) / 1e6
  const verdict = extraMegabytes <= 15 ? Verdicts.Met : Verdicts.Missed
  return { claim, measured: `${extraMegabytes.toFixed(1)} MB`, verdict }
}

function costTarget(results: Results, label: string, what: string, atMost: number): Target {
  const claim = `${what} at most ${atMost * 100} % of throughput`
  const compared = compareWithOurs(results, 'costs', label)
  if (compared === null) return unmeasured(claim)
  const verdict = judge(compared, (ratio) => throughputCost(ratio) <= atMost)
  return { claim, measured: costOf(compared), verdict }
}

/**
 * Two processes of the same program differ a little for as long as they live, so a cost counts as
 * measurable only if it lies above that difference as well as above zero. A run that could not
 * have seen a cost of a few percent has shown nothing.
 */
function unheardEventTarget(results: Results): Target {
  const claim = 'an event nobody listens to costs nothing measurable'
  const unheard = compareWithOurs(results, 'costs', Labels.Unheard)
  const twin = compareWithOurs(results, 'costs', Labels.Twin)
  if (unheard === null || twin === null) return unmeasured(claim)
  const measured = `${costOf(unheard)}; same program twice: ${costOf(twin)}`
  const { low, high, trusted } = unheard.interval
  if (!trusted || high - low > 0.1) return { claim, measured, verdict: Verdicts.MissedUncertain }
  const verdict = low <= Math.max(1, twin.interval.high) ? Verdicts.Met : Verdicts.Missed
  return { claim, measured, verdict }
}

function costOf({ median, interval }: Comparison): string {
  const percent = (value: number): string => (throughputCost(value) * 100).toFixed(1)
  return `${percent(median)} % (${percent(interval.low)} to ${percent(interval.high)})`
}

/** The share of throughput lost on a busy core when a request takes `ratio` times the CPU. */
export function throughputCost(ratio: number): number {
  return 1 - 1 / ratio
}

function compareWithOurs({ scores }: Results, contest: string, label: string): Comparison | null {
  const score = scoreOf(scores.get(contest), label)
  const own = ourScore(scores.get(contest))
  return score === null || own === null ? null : compare(score, own)
}

function unmeasured(claim: string): Target {
  return { claim, measured: '', verdict: Verdicts.Unmeasured }
}
