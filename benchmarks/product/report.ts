import { markdownTable } from '../method/markdown-table.ts'
import { median } from '../method/statistics.ts'
import { targetsSection, Verdicts } from '../method/targets.ts'
import { entrants, Labels } from './entrants.ts'
import type { Score } from './play-task.ts'
import { Parts } from './profile.ts'
import { reasonsSection } from './reasons.ts'
import {
  type Contest,
  contestsOf,
  coreShareOf,
  microsOf,
  ratioToOurs,
  type Results,
  scoresOf,
  throughputOf,
} from './results.ts'
import { rangeOf, targetsOf } from './targets.ts'
import { tasks } from './tasks.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  const contests = contestsOf(tasks).filter((contest) => scoresOf(results, contest).size > 0)
  const targets = targetsOf(results).filter(({ verdict }) => verdict !== Verdicts.Unmeasured)
  return [
    '# Product benchmark',
    'Written by `npm run bench -- product`. What is equal and what is not, and the method, are in ' +
      '`benchmarks/product/README.md`.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    'CPU is the median of user and system time of the server process for one request; what the ' +
      'servers of databases need is not in it. The ratio is the CPU of that line divided by ours in ' +
      'the same round, median over the rounds, with its 95 % interval: above 1 it needs more than we ' +
      'do. The core is how much of one the server had; below 100 % the load or a database was the ' +
      'limit. The p99 is the time within which 99 % of the requests were answered, when they came at ' +
      'random times, half as many as that server had answered under load; median over its processes.',
    ...contests.map((contest) => section(contest, results)),
    serversSection(results),
    profilesSection(results),
    lossesSection(contests, results),
    reasonsSection(results),
    targetsSection(targets),
    '',
  ].join('\n\n')
}

function section(contest: Contest, results: Results): string {
  const rows = [...scoresOf(results, contest)]
    .toSorted(([, a], [, b]) => microsOf(contest, a) - microsOf(contest, b))
    .map(([label, score]) => {
      const ratio = label === Labels.Ours ? null : ratioToOurs(results, contest, label)
      return [
        label,
        microsOf(contest, score).toFixed(1),
        ratio === null ? (label === Labels.Ours ? '1' : '') : ratio.median.toFixed(2),
        ratio === null ? '' : rangeOf(ratio),
        throughputOf(score).toFixed(0),
        `${(coreShareOf(score) * 100).toFixed(0)} %`,
        median(score.p99Ms).toFixed(2),
      ]
    })
  const head = ['Server', 'CPU µs', 'ratio', 'interval', 'req/s', 'core', 'p99 ms']
  return `## ${contest.title}\n\n${markdownTable(head, rows)}`
}

/** What there is once for each server. */
function serversSection({ scores, startUps, sizes }: Results): string {
  const [first = new Map<string, Score>()] = scores.values()
  const rows = entrants
    .filter(({ label }) => first.has(label))
    .map(({ label }) => {
      const { idleBytes = [], loadedBytes = [] } = first.get(label) ?? {}
      const size = sizes.get(label)
      return [
        label,
        megabytes(idleBytes),
        megabytes(loadedBytes),
        median(startUps.get(label) ?? []).toFixed(0),
        String(size?.lines ?? ''),
        String(size?.packages ?? ''),
      ]
    })
  const note =
    'Memory is the resident set before the first request and after the bursts of the first task above, ' +
    'in 10⁶ bytes. The first page is from the spawn of the process to the response of the list on SQLite, ' +
    'as JavaScript, on all cores. Lines are code, without views, comments and empty lines. Packages are those that ' +
    'the server needs, and what these need.'
  const head = ['Server', 'idle MB', 'loaded MB', 'first page ms', 'lines', 'packages']
  return `## Memory, start-up, size\n\n${note}\n\n${markdownTable(head, rows)}`
}

function profilesSection({ scores }: Results): string {
  const names = Object.values(Parts)
  const rows = tasks.flatMap(({ name, title }) => {
    const shares = scores.get(name)?.get(Labels.Ours)?.shares ?? []
    if (shares.length === 0) return []
    const percent = (part: Parts): string =>
      (median(shares.map((one) => one.get(part) ?? 0)) * 100).toFixed(0)
    return [[title, ...names.map(percent)]]
  })
  const note =
    'From a CPU profile of one more burst after all others: per cent of the time of the main thread in which it did something. ' +
    'What the system does for a call, and what Node does in C++, counts where it was called; “HTTP” is all of ours that has no column.'
  return `## Where our CPU goes\n\n${note}\n\n${markdownTable(['Task', ...names], rows)}`
}

function lossesSection(contests: readonly Contest[], results: Results): string {
  const lines = contests.flatMap((contest) =>
    [...scoresOf(results, contest).keys()].flatMap((label) => {
      const ratio = label === Labels.Ours ? null : ratioToOurs(results, contest, label)
      if (ratio === null || ratio.median >= 1) return []
      return [`- ${contest.title}: ${label} needs ${ratio.median.toFixed(2)} × our CPU`]
    }),
  )
  const text = lines.length === 0 ? 'Nobody needed less CPU than we did.' : lines.join('\n')
  return `## Where we lose\n\n${text}`
}

function megabytes(bytes: readonly number[]): string {
  return (median(bytes) / 1e6).toFixed(1)
}
