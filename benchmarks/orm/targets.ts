import type { Figure } from '../method/statistics.ts'
import { judge, type Target, Verdicts } from '../method/targets.ts'
import {
  clients,
  type Clients,
  type Contests,
  databases,
  type Databases,
  isDatabase,
  PageContests,
} from './contests.ts'
import { entrantsOf } from './libraries.ts'
import { ratioOf, type Reading, type Results, samplesOf } from './results.ts'

/** How much longer than SQL by hand our work may take. */
export const maxRatioToBare = 1.3
const maxRatioToFirst = 1.5

/**
 * Compares the results with every target. The peers are all there on
 * PostgreSQL; what a few of them do on the other databases is in the tables and under the losses.
 */
export function targetsOf(results: Results): readonly Target[] {
  const all = Object.keys(databases).filter(isDatabase)
  const { suite } = results
  return [
    ...all.flatMap((database) => bareTargets(results, database)),
    ...(suite === 'pages' ? all.map((database) => depthTarget(results, database)) : []),
    ...peerTargets(results, 'postgres'),
  ]
}

/** The contests that were played on a database. */
export function contestsOf({ scores }: Results, database: Databases): readonly Contests[] {
  return [...(scores.get(database)?.keys() ?? [])]
}

/** Ours against hand-written SQL. */
function bareTargets(results: Results, database: Databases): readonly Target[] {
  return contestsOf(results, database).map((contest) => {
    const ours = samplesOf(results, database, contest, 'ours')
    const bare = samplesOf(results, database, contest, 'bare')
    return target(
      `${databases[database]}, ${contest}: ours takes at most ${maxRatioToBare} × as long as SQL by hand`,
      ratioOf(ours, bare, 'latencyMicros'),
      (value) => value <= maxRatioToBare,
    )
  })
}

/** Depth costs nothing; what a place to begin at costs the database is in what SQL by hand takes. */
function depthTarget(results: Results, database: Databases): Target {
  const depth = (client: Clients): Figure | null =>
    ratioOf(
      samplesOf(results, database, PageContests.CursorDeep, client),
      samplesOf(results, database, PageContests.CursorFirst, client),
      'latencyMicros',
    )
  const judged = target(
    `${databases[database]}: a deep page by our cursor takes at most ${maxRatioToFirst} × as long as the first`,
    depth('ours'),
    (value) => value <= maxRatioToFirst,
  )
  const bare = depth('bare')
  if (bare === null) return judged
  return { ...judged, measured: `${judged.measured}; SQL by hand: ${bare.median.toFixed(2)} ×` }
}

/** The closest of all peers decides. */
function peerTargets(results: Results, database: Databases): readonly Target[] {
  const peers = entrantsOf(results.suite, database).filter(
    (client) => client !== 'ours' && client !== 'bare',
  )
  const closest = (contest: Contests, reading: Reading, claim: string): Target => {
    const ours = samplesOf(results, database, contest, 'ours')
    const ratios = peers.flatMap((client) => {
      const ratio = ratioOf(samplesOf(results, database, contest, client), ours, reading)
      return ratio === null ? [] : [{ client, ratio }]
    })
    const [first] = ratios.toSorted((one, other) => one.ratio.median - other.ratio.median)
    const judged = target(
      `${databases[database]}, ${contest}: ${claim}`,
      first?.ratio ?? null,
      (value) => value > 1,
    )
    if (first === undefined) return judged
    return { ...judged, measured: `${clients[first.client]}: ${judged.measured}` }
  }
  return contestsOf(results, database).flatMap((contest) => [
    closest(contest, 'latencyMicros', 'every other library takes longer than ours'),
    closest(contest, 'cpuMicros', 'every other library takes more CPU than ours'),
  ])
}

function target(claim: string, ratio: Figure | null, holds: (value: number) => boolean): Target {
  if (ratio === null) return { claim, measured: '', verdict: Verdicts.Unmeasured }
  const measured = `${ratio.median.toFixed(2)} × (${rangeOf(ratio)})`
  return { claim, measured, verdict: judge(ratio, holds) }
}

/** The interval of a ratio, as text. */
export function rangeOf({ interval: { low, high } }: Figure): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`
}
