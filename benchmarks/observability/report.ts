import { markdownTable } from '../method/markdown-table.ts'
import { type Figure, median } from '../method/statistics.ts'
import { targetsSection } from '../method/targets.ts'
import { coreShareOf, microsOf, throughputOf } from '../sessions/results.ts'
import { comparisons, type Contest } from './contests.ts'
import type { Scores } from './play-contest.ts'
import { overheadOf, type Results, shareOf } from './results.ts'
import { shareText, targetsOf } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(
  contests: readonly Contest[],
  results: Results,
  facts: readonly string[],
): string {
  const tables = contests.flatMap((contest) => {
    const scores = results.get(contest.name)
    return scores === undefined ? [] : [section(contest, scores)]
  })
  return [
    '# Observability benchmark',
    'Written by `npm run bench -- observability`. The method is explained in `benchmarks/observability/README.md`.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    'CPU is the median of user and system time of the server process for one request, what it sends ' +
      'afterwards included. The overhead is the CPU of that line minus that of the same server without ' +
      'it in the same round, median over the rounds, with its 95 % interval; that of "nothing on" is ' +
      'over the code of tracing cut out. Spans are those that arrived for each request: a server that ' +
      'cannot keep up drops some, and then needs less.',
    ...tables,
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function section({ title, note, entrants }: Contest, scores: Scores): string {
  const rows = entrants.map(({ label }) => {
    const { samples = [], spans = [] } = scores.get(label) ?? {}
    const base = comparisons[label]
    const without = base === undefined ? [] : (scores.get(base)?.samples ?? [])
    const overhead = base === undefined ? null : overheadOf(samples, without)
    const share = base === undefined ? null : shareOf(samples, without)
    return [
      label,
      microsOf(samples).toFixed(1),
      overhead === null ? '' : overheadText(overhead),
      share === null ? '' : shareText(share),
      median(spans) > 0 ? median(spans).toFixed(2) : '',
      throughputOf(samples).toFixed(0),
      `${(coreShareOf(samples) * 100).toFixed(0)} %`,
    ]
  })
  const head = ['Server', 'CPU µs', 'overhead µs', 'overhead %', 'spans', 'req/s', 'core']
  return `## ${title}\n\n${note}\n\n${markdownTable(head, rows)}`
}

function overheadText({ median: middle, interval: { low, high } }: Figure): string {
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
}
