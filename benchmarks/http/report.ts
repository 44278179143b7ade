import { markdownTable } from '../method/markdown-table.ts'
import { median } from '../method/statistics.ts'
import { targetsSection } from '../method/targets.ts'
import { compare, coreShare, microsOf, ourScore, scoreOf, throughputOf } from './comparison.ts'
import { type Contest, contests, Labels } from './contests.ts'
import type { StartUp } from './measure-start-up.ts'
import type { Score } from './play-contest.ts'
import type { Results } from './results.ts'
import { targetsOf, throughputCost } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  const tables = contests.flatMap((contest) => {
    const scores = results.scores.get(contest.name)
    if (scores === undefined) return []
    return [contest.name === 'costs' ? costsSection(contest, scores) : section(contest, scores)]
  })
  return [
    '# HTTP benchmark',
    'Written by `npm run bench -- http`. The method is explained in `benchmarks/README.md`.',
    [...facts, quietness(results)].map((fact) => `- ${fact}`).join('\n'),
    'CPU is the median of user and system time of the server process for one request. The ratio ' +
      'is the CPU of that line divided by ours in the same round, median over the rounds, with ' +
      'its 95 % interval: above 1 it needs more than we do. "Optimized" means ' +
      '`optimizeEmptyRequests: true`, which our engine always sets.',
    ...tables,
    ...(results.startUps.length > 0 ? [startUpSection(results)] : []),
    lossesSection(results),
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function quietness({ scores }: Results): string {
  const share = coreShare(scores.values())
  const had = `under load the servers had ${(share * 100).toFixed(0)} % of a core (median)`
  if (share >= 0.9) return `Quietness: ${had}`
  return `NOT a quiet run: ${had}; something else was at work, or the load generator was the limit`
}

function section({ title }: Contest, scores: readonly Score[]): string {
  const own = ourScore(scores)
  const rows = byMicros(scores).map((score) => {
    const [ratio, interval, ofMedians] = ratioCells(score, own)
    const throughput = throughputOf(score).toFixed(0)
    const idle = megabytes(score.idleRssBytes)
    const loaded = megabytes(score.loadedRssBytes)
    const micros = microsOf(score).toFixed(1)
    return [score.entrant.label, micros, ratio, interval, ofMedians, throughput, idle, loaded]
  })
  const head = [
    'Server',
    'CPU µs',
    'ratio',
    'interval',
    'of medians',
    'req/s',
    'idle MB',
    'loaded MB',
  ]
  return `## ${title}\n\n${markdownTable(head, rows)}`
}

function costsSection({ title }: Contest, scores: readonly Score[]): string {
  const rows = scores.map((score) => {
    const { label } = score.entrant
    const base = scoreOf(scores, label === Labels.RawHeaders ? Labels.RawOptimized : Labels.Ours)
    const compared = base === null || base === score ? null : compare(score, base)
    const cost = compared === null ? '' : `${(throughputCost(compared.median) * 100).toFixed(1)} %`
    return [label, microsOf(score).toFixed(1), ...ratioCells(score, base), cost]
  })
  const note =
    'All of these answer the JSON request. Lines of ours are compared with the first, the last ' +
    'line with the one before it: that is what five response headers cost without any framework. ' +
    'The second process runs the same program as the first and shows how far two equal lines differ. ' +
    '`Received` and `Handled` are events nobody listens to in every line but the one that says so.'
  const head = ['Server', 'CPU µs', 'ratio', 'interval', 'of medians', 'throughput lost']
  return `## ${title}\n\n${note}\n\n${markdownTable(head, rows)}`
}

function startUpSection({ startUps, scores }: Results): string {
  const rows = startUps
    .toSorted((a, b) => median(a.timesMs) - median(b.timesMs))
    .map(({ entrant, timesMs }: StartUp) => {
      const idle = scoreOf(scores.get('json'), entrant.label)?.idleRssBytes
      return [
        entrant.label,
        median(timesMs).toFixed(0),
        Math.min(...timesMs).toFixed(0),
        idle === undefined ? '' : megabytes(idle),
      ]
    })
  const note = 'From the spawn of the process to the open port, as JavaScript, on all cores.'
  const table = markdownTable(['Server', 'median ms', 'fastest ms', 'idle MB'], rows)
  return `## Start-up\n\n${note}\n\n${table}`
}

function lossesSection({ scores }: Results): string {
  const compared = contests.filter(({ name }) => name !== 'costs' && ourScore(scores.get(name)))
  const losses = compared.flatMap(({ name, title }) => {
    return (scores.get(name) ?? []).flatMap((score) => {
      const ratio = ratioToOurs(scores.get(name), score)
      if (ratio === null || ratio >= 1) return []
      return [`- ${title}: ${score.entrant.label} needs ${ratio.toFixed(3)} × our CPU`]
    })
  })
  if (compared.length === 0)
    return '## Where we lose\n\nNot measured: this run did not compare ours with the peers.'
  const text = losses.length === 0 ? 'Nobody needed less CPU than we did.' : losses.join('\n')
  return `## Where we lose\n\n${text}`
}

function ratioToOurs(scores: readonly Score[] | undefined, score: Score): number | null {
  const own = ourScore(scores)
  return own === null || own === score ? null : compare(score, own).median
}

function ratioCells(score: Score, base: Score | null): readonly [string, string, string] {
  if (base === null) return ['', '', '']
  if (base === score) return ['1', '', '']
  const { median: ratio, interval, ratioOfMedians } = compare(score, base)
  return [
    ratio.toFixed(3),
    `${interval.low.toFixed(3)}–${interval.high.toFixed(3)}`,
    ratioOfMedians.toFixed(3),
  ]
}

function byMicros(scores: readonly Score[]): readonly Score[] {
  return scores.toSorted((a, b) => microsOf(a) - microsOf(b))
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
