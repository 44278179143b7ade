import { writeFile } from 'node:fs/promises'
import { findLoad } from '../method/load.ts'
import { findPinning } from '../method/pinning.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { buildServers } from '../setup/build-servers.ts'
import { installPeers } from '../setup/install-peers.ts'
import { type Contest, contests, type Entrant, ours, peers } from './contests.ts'
import { measureStartUp } from './measure-start-up.ts'
import { type Options, parseOptions } from './options.ts'
import { playContest, type Score } from './play-contest.ts'
import { reportOf } from './report.ts'
import type { Results } from './results.ts'
import { runFacts } from './run-facts.ts'
import { targetsOf } from './targets.ts'

/** Measures ours and the peers, prints the report and writes it; resolves to the exit status. */
export async function runHttp(args: string[]): Promise<number> {
  const options = parseOptions(args)
  const chosen = chooseContests(options)

  await installPeers()
  if (entrantsOf(chosen).some((entrant) => entrant.server === ours)) await buildFramework()
  const serversFolder = await buildServers('http', ['scenarios.ts'])
  const pinning = await findPinning()
  const load = await findLoad(pinning.load)
  const facts = runFacts(options, load, pinning)

  const starting = entrantsOf(chosen.filter(({ name }) => name === 'json'))
  const stock = starting.filter((entrant) => !entrant.optimized || entrant.server === ours)
  const startUps =
    stock.length === 0 ? [] : await measureStartUp(stock, options.spawns, serversFolder)

  const scores = new Map<string, readonly Score[]>()
  for (const contest of chosen) {
    const stage = { serversFolder, pin: pinning.server, load, options }
    scores.set(contest.name, await playContest(contest, stage))
  }

  const results = { scores, startUps }
  const report = reportOf(results, facts)
  console.log(report)
  if (isWhole(options)) await writeResults(results, report)
  return options.check && targetsOf(results).some(isMissed) ? 1 : 0
}

function chooseContests({ servers, contests: names }: Options): readonly Contest[] {
  refuseUnknown('--only', servers, [ours, ...Object.keys(peers)])
  const known = contests.map(({ name }) => name)
  refuseUnknown('--contests', names, known)
  const chosen = contests.filter(({ name }) => names.length === 0 || names.includes(name))
  return chosen
    .map(({ name, title, entrants }) => {
      const kept = entrants.filter(({ server }) => servers.length === 0 || servers.includes(server))
      return { name, title, entrants: kept }
    })
    .filter(({ entrants }) => entrants.length > 0)
}

function refuseUnknown(flag: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new Error(`${flag} takes ${known.join(', ')}; came ${unknown.join(', ')}`)
}

function entrantsOf(chosen: readonly Contest[]): readonly Entrant[] {
  return chosen.flatMap(({ entrants }) => entrants)
}

function isWhole({ servers, contests: names }: Options): boolean {
  return servers.length === 0 && names.length === 0
}

async function writeResults({ scores, startUps }: Results, report: string): Promise<void> {
  await writeReport('http', report)
  // every sample, for a closer look; not kept in the repository
  const samples = { scores: Object.fromEntries(scores), startUps }
  const file = `${import.meta.dirname}/../results/http.json`
  await writeFile(file, JSON.stringify(samples, null, 2))
}
