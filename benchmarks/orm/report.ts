import { markdownTable } from '../method/markdown-table.ts'
import { targetsSection } from '../method/targets.ts'
import {
  clients,
  type Clients,
  type Contests,
  databases,
  type Databases,
  titles,
} from './contests.ts'
import { microsOf, ratioOf, type Reading, type Results, samplesOf } from './results.ts'
import { reasonsSection } from './reasons.ts'
import { contestsOf, rangeOf, targetsOf } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  return [
    `# ORM benchmark: ${results.suite}`,
    `Written by \`npm run bench -- orm --suite ${results.suite}\`. The method is explained in \`benchmarks/orm/README.md\`.`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    'Latency is that of one call with nothing else under way, CPU the user and system time of the ' +
      'Node process for one call; both are medians over the rounds. A ratio is that line divided ' +
      'by ours in the same round, median over the rounds, with its 95 % interval: above 1 it takes ' +
      'more than we do. SQL by hand is the floor, not a competitor.',
    ...[...results.scores.keys()].map((database) => databaseSection(results, database)),
    lossesSection(results),
    reasonsSection(results),
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function databaseSection(results: Results, database: Databases): string {
  const tables = contestsOf(results, database).map((contest) => {
    const entrants = [...(results.scores.get(database)?.get(contest)?.keys() ?? [])]
    const rows = entrants
      .map((client) => ({ client, samples: samplesOf(results, database, contest, client) }))
      .filter(({ samples }) => samples.length > 0)
      .toSorted((a, b) => microsOf(a.samples, 'cpuMicros') - microsOf(b.samples, 'cpuMicros'))
      .map(({ client }) => {
        const latency = cells(results, database, contest, client, 'latencyMicros')
        const cpu = cells(results, database, contest, client, 'cpuMicros')
        return [[clients[client]], latency, cpu].flat()
      })
    const head = ['Library', 'latency µs', 'ratio', 'interval', 'CPU µs', 'ratio', 'interval']
    return `### \`${contest}\`: ${titles[contest]}\n\n${markdownTable(head, rows)}`
  })
  return [`## ${databases[database]}`, ...tables].join('\n\n')
}

function cells(
  results: Results,
  database: Databases,
  contest: Contests,
  client: Clients,
  reading: Reading,
): readonly [micros: string, ratio: string, interval: string] {
  const samples = samplesOf(results, database, contest, client)
  const micros = microsOf(samples, reading).toFixed(0)
  if (client === 'ours') return [micros, '1', '']
  const ratio = ratioOf(samples, samplesOf(results, database, contest, 'ours'), reading)
  return ratio === null ? [micros, '', ''] : [micros, ratio.median.toFixed(2), rangeOf(ratio)]
}

function lossesSection(results: Results): string {
  const losses = [...results.scores].flatMap(([database, scores]) =>
    [...scores].flatMap(([contest, score]) =>
      [...score.keys()].flatMap((client) => {
        if (client === 'ours' || client === 'bare') return []
        return lossesTo(results, database, contest, client)
      }),
    ),
  )
  return `## Where we lose\n\n${losses.length === 0 ? 'Nowhere in this run.' : losses.join('\n')}`
}

function lossesTo(
  results: Results,
  database: Databases,
  contest: Contests,
  client: Clients,
): readonly string[] {
  const ours = samplesOf(results, database, contest, 'ours')
  const theirs = samplesOf(results, database, contest, client)
  return (['latencyMicros', 'cpuMicros'] as const).flatMap((reading) => {
    const ratio = ratioOf(theirs, ours, reading)
    if (ratio === null || ratio.median > 1) return []
    const what = reading === 'cpuMicros' ? 'our CPU' : 'our time'
    return [
      `- ${databases[database]}, ${contest}: ${clients[client]} takes ${ratio.median.toFixed(2)} × ${what}`,
    ]
  })
}
