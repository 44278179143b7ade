import { markdownTable } from '../method/markdown-table.ts'
import { targetsSection } from '../method/targets.ts'
import { type Contest, contests, type Entrant } from './contests.ts'
import type { Scores } from './play-contest.ts'
import { coreShareOf, microsOf, ratioOf, type Results, throughputOf } from './results.ts'
import { rangeOf, targetsOf } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  const tables = contests.flatMap((contest) => {
    const scores = results.get(contest.name)
    return scores === undefined ? [] : [section(contest, scores)]
  })
  return [
    '# Sessions benchmark',
    'Written by `npm run bench -- sessions`. The method is explained in `benchmarks/sessions/README.md`.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    'CPU is the median of user and system time of the server process for one request; what Redis ' +
      'itself needs is not in it. The ratio is the CPU of that line divided by that of the line ' +
      'with ratio 1 in the same round, median over the rounds, with its 95 % interval: above 1 it ' +
      'needs more. The core is how much of one the server had; below 100 % the load or Redis was ' +
      'the limit.',
    ...tables,
    lossesSection(results),
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function section({ title, note, base }: Contest, scores: Scores): string {
  const rows = [...scores]
    .toSorted(([, a], [, b]) => microsOf(a) - microsOf(b))
    .map(([label, samples]) => {
      const ratio = label === base ? null : ratioOf(samples, scores.get(base) ?? [])
      const shown = ratio === null ? '1' : ratio.median.toFixed(2)
      const range = ratio === null ? '' : rangeOf(ratio)
      const throughput = throughputOf(samples).toFixed(0)
      const core = `${(coreShareOf(samples) * 100).toFixed(0)} %`
      return [label, microsOf(samples).toFixed(1), shown, range, throughput, core]
    })
  const head = ['Server', 'CPU µs', 'ratio', 'interval', 'req/s', 'core']
  return `## ${title}\n\n${note}\n\n${markdownTable(head, rows)}`
}

/** Every peer that needed less than one of our lines with a session. */
function lossesSection(results: Results): string {
  const lines = contests.flatMap(({ name, entrants }) => {
    const scores = results.get(name) ?? new Map()
    const isOurs = (label: string): boolean =>
      entrants.some((entrant) => entrant.label === label && isOwn(entrant))
    const own = entrants.filter((entrant) => isOwn(entrant) && !entrant.parts.includes('none'))
    return own.flatMap(({ label: ours }) =>
      [...scores].flatMap(([label, samples]) => {
        const ratio = isOurs(label) ? null : ratioOf(samples, scores.get(ours) ?? [])
        if (ratio === null || ratio.median >= 1) return []
        return [`- ${label} needs ${ratio.median.toFixed(2)} × the CPU of "${ours}"`]
      }),
    )
  })
  const text = lines.length === 0 ? 'No peer needed less CPU than we did.' : lines.join('\n')
  return `## Where we lose\n\n${text}`
}

function isOwn({ server }: Entrant): boolean {
  return server === 'ours' || server === 'accounts'
}
