import type { Figure } from '../method/statistics.ts'
import { judge, type Target, Verdicts } from '../method/targets.ts'
import { Labels } from './contests.ts'
import { overheads, type Results, samplesOf, shareOf, timesOf } from './results.ts'

const leastOfPeers = 5

/** Compares the results with every target. */
export function targetsOf(results: Results): readonly Target[] {
  const share = (contest: string, label: string, base: string): Figure | null =>
    shareOf(samplesOf(results, contest, label), samplesOf(results, contest, base))
  const own = (contest: string, label: string): readonly number[] =>
    overheads(samplesOf(results, contest, label), samplesOf(results, contest, Labels.Plain))
  const theirs = (contest: string, label: string, base: string): readonly number[] =>
    overheads(samplesOf(results, contest, label), samplesOf(results, contest, base))
  const peers = [
    [Labels.FastifyAll, Labels.Fastify],
    [Labels.FastifyWhole, Labels.Fastify],
    [Labels.AdonisAll, Labels.Adonis],
  ] as const
  return [
    atMost(
      'tracing that is compiled in but off',
      0.01,
      share('tracing', Labels.Plain, Labels.Untraced),
    ),
    atMost('tracing that its sampler turns off', 0.01, share('tracing', Labels.Off, Labels.Plain)),
    atMost('tracing of 1 % of the requests', 0.02, share('tracing', Labels.Few, Labels.Plain)),
    atMost('tracing of all requests', 0.1, share('tracing', Labels.All, Labels.Plain)),
    ...peers.map(([label, base]) => {
      const times = timesOf(theirs('tracing', label, base), own('tracing', Labels.All))
      const claim = `${label}: the overhead is at least ${leastOfPeers} × ours`
      return target(claim, times, timesText, (value) => value >= leastOfPeers)
    }),
    atMost('the request log', 0.03, share('log', Labels.Log, Labels.Plain)),
    atMost('on a page, the request log', 0.03, share('page', Labels.Log, Labels.Plain)),
    atMost('on a page, tracing of 1 %', 0.02, share('page', Labels.Few, Labels.Plain)),
    atMost('on a page, tracing of all', 0.1, share('page', Labels.All, Labels.Plain)),
    target(
      `${Labels.FastifyLog}: the overhead is more than that of our request log`,
      timesOf(theirs('log', Labels.FastifyLog, Labels.Fastify), own('log', Labels.Log)),
      timesText,
      (value) => value > 1,
    ),
  ]
}

function atMost(what: string, share: number, figure: Figure | null): Target {
  const claim = `${what} costs at most ${share * 100} % of the CPU of a request`
  return target(claim, figure, shareText, (value) => value <= share)
}

function target(
  claim: string,
  figure: Figure | null,
  text: (figure: Figure) => string,
  holds: (value: number) => boolean,
): Target {
  if (figure === null) return { claim, measured: '', verdict: Verdicts.Unmeasured }
  return { claim, measured: text(figure), verdict: judge(figure, holds) }
}

/** A share and its interval, as text. */
export function shareText({ median, interval: { low, high } }: Figure): string {
  const percent = (share: number): string => (share * 100).toFixed(1)
  return `${percent(median)} % (${percent(low)} to ${percent(high)})`
}

function timesText({ median, interval: { low, high } }: Figure): string {
  return `${median.toFixed(1)} × (${low.toFixed(1)} to ${high.toFixed(1)})`
}
