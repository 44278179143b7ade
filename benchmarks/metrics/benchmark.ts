import { machineFacts } from '../method/machine-facts.ts'
import { findPinning } from '../method/pinning.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { installPeers } from '../setup/install-peers.ts'
import { ContestantProcess } from './contestant-process.ts'
import { clients, type Clients, Contests, entrantsOf, fleetContests } from './contests.ts'
import { FleetProcess } from './fleet/fleet-process.ts'
import { type Options, parseOptions } from './options.ts'
import { playContest, type Score } from './play-contest.ts'
import { reportOf } from './report.ts'
import type { Blocks, Results } from './results.ts'
import { targetsOf } from './targets.ts'

/** Measures ours and the peers, prints the report and writes it; resolves to the exit status. */
export async function runMetrics(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const facts = factsOf(options)
  const results = await play(options)
  const report = reportOf(results, facts)
  console.log(report)
  if (options.rounds >= 6) await writeReport('metrics', report)
  return options.check && targetsOf(results).some(isMissed) ? 1 : 0
}

async function play(options: Options): Promise<Results> {
  const { server: pin } = await findPinning()
  const contestants: ContestantProcess[] = []
  const scores = new Map<Contests, Score>()
  try {
    for (const client of everyone()) {
      contestants.push(await ContestantProcess.start(client, pin))
    }
    for (const contest of Object.values(Contests)) {
      if (fleetContests.includes(contest)) continue
      const entrants = entrantsOf(contest)
      const players = contestants.filter(({ client }) => entrants.includes(client))
      scores.set(contest, await playContest(contest, players, options))
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.stop()))
  }
  const blocksMs = await playFleets(scores, options)
  return { scores, blocksMs }
}

// Fleets have processes of their own, which rest while the libraries alone are measured.
async function playFleets(scores: Map<Contests, Score>, options: Options): Promise<Blocks> {
  const fleets: FleetProcess[] = []
  try {
    for (const client of entrantsOf(Contests.FleetScrape)) {
      fleets.push(await FleetProcess.start(client))
    }
    for (const contest of fleetContests) {
      scores.set(contest, await playContest(contest, fleets, options))
    }
    // Those of the last contest, which has more to do.
    return new Map(fleets.map(({ client, blocksMs }) => [client, blocksMs.slice(-options.rounds)]))
  } finally {
    await Promise.all(fleets.map((fleet) => fleet.stop()))
  }
}

function everyone(): ReadonlySet<Clients> {
  return new Set(Object.values(Contests).flatMap(entrantsOf))
}

function factsOf({ rounds, burstMs }: Options): readonly string[] {
  return [
    ...machineFacts(),
    `Rounds: ${rounds} of about ${burstMs} ms for each of ${Object.keys(clients).length} libraries`,
  ]
}
