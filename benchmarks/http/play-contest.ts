import { setTimeout } from 'node:timers/promises'
import type { Load, LoadRequest } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { shuffled } from '../method/shuffled.ts'
import type { Contest, Entrant } from './contests.ts'
import type { Options } from './options.ts'
import { probe } from './probe.ts'
import { exchanges } from './scenarios.ts'
import { ServerProcess } from './server-process.ts'

/** One burst against one server. */
export interface Sample {
  readonly microsPerRequest: number
  readonly requestsPerSecond: number
}

/** What an entrant did in a contest; the samples of all entrants are in the order of the rounds. */
export interface Score {
  readonly entrant: Entrant
  readonly samples: readonly Sample[]
  readonly idleRssBytes: number
  readonly loadedRssBytes: number
}

/** What is the same for every contest of a run. */
export interface Stage {
  readonly serversFolder: string
  readonly pin: Pin
  readonly load: Load
  readonly options: Options
}

/**
 * Starts all servers of a contest and lets them take turns: one short burst each, round by round,
 * so that a change in the machine's load affects all of them equally.
 */
export async function playContest(contest: Contest, stage: Stage): Promise<readonly Score[]> {
  const servers: ServerProcess[] = []
  try {
    for (const entrant of contest.entrants) {
      servers.push(await ServerProcess.start(entrant, stage.serversFolder, stage.pin))
    }
    await setTimeout(settleMs)
    const idle = await rssOf(servers)
    for (const server of servers) await probe(server)
    await playRounds(`${contest.name}, warm-up`, stage.options.warmUpRounds, servers, stage)
    const rounds = await playRounds(contest.name, stage.options.rounds, servers, stage)
    for (const server of servers) await probe(server)
    const loaded = await rssOf(servers)
    return servers.map((server, index) => ({
      entrant: server.entrant,
      samples: rounds.flatMap((round) => round.get(server) ?? []),
      idleRssBytes: idle[index] ?? NaN,
      loadedRssBytes: loaded[index] ?? NaN,
    }))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const settleMs = 1000

type Round = ReadonlyMap<ServerProcess, Sample>

async function playRounds(
  name: string,
  count: number,
  servers: readonly ServerProcess[],
  stage: Stage,
): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let number = 1; number <= count; number++) {
    console.error(`${name}: round ${number} of ${count}`)
    const round = new Map<ServerProcess, Sample>()
    for (const server of shuffled(servers)) round.set(server, await sample(server, stage))
    rounds.push(round)
  }
  return rounds
}

async function sample(server: ServerProcess, { load, options }: Stage): Promise<Sample> {
  const request = requestOf(server)
  const before = await server.usage()
  const burst = await load.burst(request, options.connections, options.burstSeconds)
  const after = await server.usage()
  return {
    microsPerRequest: (after.cpuMicros - before.cpuMicros) / burst.requests,
    requestsPerSecond: burst.requests / burst.seconds,
  }
}

function requestOf({ origin, entrant }: ServerProcess): LoadRequest {
  const { path, sent } = exchanges[entrant.scenario]
  const url = origin + path
  if (sent === null) return { url }
  return { url, method: 'POST', headers: { 'content-type': 'application/json' }, body: sent }
}

async function rssOf(servers: readonly ServerProcess[]): Promise<readonly number[]> {
  return Promise.all(servers.map(async (server) => (await server.usage()).rssBytes))
}
