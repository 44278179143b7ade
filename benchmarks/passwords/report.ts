import { markdownTable } from '../method/markdown-table.ts'
import { figureOf } from '../method/statistics.ts'
import { targetsSection } from '../method/targets.ts'
import { Hashers, labels } from './hashers.ts'
import type { Burst, Results } from './play-rounds.ts'
import { rangeOf, shareOf, targetsOf } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  return [
    '# Password benchmark',
    'Written by `npm run bench -- passwords`. The method is explained in `benchmarks/README.md`.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    loginsSection(results),
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function loginsSection(results: Results): string {
  const rows = Object.values(Hashers).map((hasher) => {
    const cell = (read: (burst: Burst) => number): string => {
      return rangeOf(figureOf(results[hasher].map(read)), 1, '')
    }
    return [
      labels[hasher],
      cell(({ hashesPerSecond }) => hashesPerSecond),
      cell(({ fileMs }) => fileMs),
      cell(({ delayMs }) => delayMs),
    ]
  })
  const head = ['200 logins at once', 'hashes a second', 'slowest file, ms', 'event loop p99, ms']
  const note =
    `Medians over the rounds with their intervals. Ours reaches ${rangeOf(shareOf(results), 2, ' ×')} ` +
    'the rate of the bare call. "Slowest file" is the longest that reading a small one took meanwhile.'
  return `## Logins\n\n${note}\n\n${markdownTable(head, rows)}`
}
