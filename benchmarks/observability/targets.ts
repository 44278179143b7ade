import type { Figure } from '../method/statistics.ts'
import { judge, type Target, Verdicts } from '../method/targets.ts'
import type { Sample } from '../sessions/play-contest.ts'
import { comparisons, Labels } from './contests.ts'
import { overheads, type Results, samplesOf, shareOf, timesOf } from './results.ts'

const leastOfPeers = 5

/** Compares the results with every target, on both kinds of work. */
export function targetsOf(results: Results): readonly Target[] {
  return [
    ...targetsOn('page', 'a page', results),
    ...targetsOn('bare', 'the barest request', results),
  ]
}

function targetsOn(contest: string, work: string, results: Results): readonly Target[] {
  const samples = (label: string): readonly Sample[] => samplesOf(results, contest, label)
  const base = (label: string): readonly Sample[] => samples(comparisons[label] ?? '')
  const most = (what: string, share: number, label: string): Target => {
    const claim = `${work}: ${what} costs at most ${share * 100} % of its CPU`
    const holds = (value: number): boolean => value <= share
    return target(claim, shareOf(samples(label), base(label)), shareText, holds)
  }
  const times = (label: string, own: string): Figure | null =>
    timesOf(overheads(samples(label), base(label)), overheads(samples(own), base(own)))
  const present = (label: string): boolean => samples(label).length > 0
  const equals = [Labels.FastifyStackAll, Labels.AdonisStackAll].filter(present)
  const bareOnes = [Labels.FastifyAll, Labels.FastifyWhole, Labels.AdonisAll].filter(present)
  // Where some peers do all that ours does, the others do less.
  const aside = equals.length > 0 ? ', which does less than ours,' : ''
  const ahead = (label: string, remark: string): Target => {
    const claim = `${work}: the overhead of "${label}"${remark} is at least ${leastOfPeers} × ours`
    return target(claim, times(label, Labels.All), timesText, (value) => value >= leastOfPeers)
  }
  return [
    most('tracing that is compiled in but off', 0.01, Labels.Plain),
    // Only the barest request has this line.
    ...(present(Labels.Off) ? [most('tracing that its sampler turns off', 0.01, Labels.Off)] : []),
    most('tracing of 1 % of the requests', 0.02, Labels.Few),
    most('tracing of all requests', 0.1, Labels.All),
    ...equals.map((label) => ahead(label, '')),
    ...bareOnes.map((label) => ahead(label, aside)),
    most('the request log', 0.03, Labels.Log),
    ...(present(Labels.Kept) ? [most('keeping requests', 0.01, Labels.Kept)] : []),
    target(
      `${work}: the overhead of "${Labels.FastifyLog}" is more than that of our request log`,
      times(Labels.FastifyLog, Labels.Log),
      timesText,
      (value) => value > 1,
    ),
  ]
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
