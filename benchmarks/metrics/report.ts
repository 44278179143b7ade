import { markdownTable } from '../method/markdown-table.ts'
import { median } from '../method/statistics.ts'
import { targetsSection } from '../method/targets.ts'
import { clients, type Contests, titles } from './contests.ts'
import type { Score } from './play-contest.ts'
import { ratioOf, type Results } from './results.ts'
import { rangeOf, targetsOf } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  return [
    '# Metrics benchmark',
    'Written by `npm run bench -- metrics`. The method is explained in `benchmarks/metrics/README.md`.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    'Times are medians over the rounds. The ratio is that line divided by ours in the same round, ' +
      'median over the rounds, with its 95 % interval: above 1 it takes longer than we do.',
    ...[...results.scores].map(([contest, score]) => section(contest, score, results)),
    blocksSection(results),
    lossesSection(results),
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function section(contest: Contests, score: Score, results: Results): string {
  const { title, unit } = titles[contest]
  const rows = [...score]
    .map(([client, samples]) => ({ client, time: median(samples) }))
    .toSorted((a, b) => a.time - b.time)
    .map(({ client, time }) => {
      const shown = unit === 'ns' ? time.toFixed(1) : (time / 1e6).toFixed(2)
      if (client === 'ours') return [clients[client], shown, '1', '']
      const ratio = ratioOf(results, contest, client)
      return [clients[client], shown, ratio.median.toFixed(1), rangeOf(ratio)]
    })
  return `## ${title}\n\n${markdownTable(['Library', unit, 'ratio', 'interval'], rows)}`
}

function blocksSection({ blocksMs }: Results): string {
  const rows = [...blocksMs].map(([client, blocks]) => [
    clients[client],
    median(blocks).toFixed(1),
    Math.max(...blocks).toFixed(1),
  ])
  const note =
    'How long the event loop that answers a fleet scrape was held at once: the longest of each burst.'
  const table = markdownTable(['Library', 'median, ms', 'worst, ms'], rows)
  return `## The longest block during a fleet scrape\n\n${note}\n\n${table}`
}

function lossesSection(results: Results): string {
  const losses = [...results.scores].flatMap(([contest, score]) =>
    [...score.keys()].flatMap((client) => {
      const ratio = ratioOf(results, contest, client).median
      // The clock alone is a floor, no competitor.
      if (client === 'ours' || client === 'clock' || ratio >= 1) return []
      return [`- ${titles[contest].title}: ${clients[client]} takes ${ratio.toFixed(2)} × as long`]
    }),
  )
  return `## Where we lose\n\n${losses.length === 0 ? 'Nowhere in this run.' : losses.join('\n')}`
}
