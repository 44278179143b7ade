import { setTimeout } from 'node:timers/promises'
import type { Load } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { shuffled } from '../method/shuffled.ts'
import type { Contest } from './contests.ts'
import type { Options } from './options.ts'
import { ServerProcess } from './server-process.ts'
import type { Stage } from './stage.ts'

/** One burst against one server. */
export interface Sample {
  readonly microsPerRequest: number
  readonly requestsPerSecond: number
}

/** The samples of each entrant by its label, all in the order of the rounds. */
export type Scores = ReadonlyMap<string, readonly Sample[]>

/** What is the same for every contest of a run. */
export interface Ground {
  readonly stage: Stage
  readonly pin: Pin
  readonly load: Load
  readonly options: Options
}

/**
 * After so many rounds all processes are replaced: two processes of the same program differ slightly
 * for as long as they live.
 */
export const roundsOfLife = 5

/**
 * Lets the servers of a contest take turns: one short burst each, round by round, so that a change
 * in the machine's load affects all of them equally.
 */
export async function playContest(contest: Contest, ground: Ground): Promise<Scores> {
  const { rounds } = ground.options
  const scores = new Map<string, Sample[]>(contest.entrants.map(({ label }) => [label, []]))
  for (let played = 0; played < rounds; played += roundsOfLife) {
    console.error(`${contest.name}: ${played} of ${rounds} rounds are played`)
    await playLife(contest, Math.min(roundsOfLife, rounds - played), ground, scores)
  }
  return scores
}

async function playLife(
  contest: Contest,
  rounds: number,
  ground: Ground,
  scores: ReadonlyMap<string, Sample[]>,
): Promise<void> {
  const servers: ServerProcess[] = []
  try {
    for (const entrant of contest.entrants) {
      servers.push(await ServerProcess.start(entrant, contest, ground.stage, ground.pin))
    }
    await setTimeout(settleMs)
    for (const server of servers) await server.probe()
    for (const server of servers) await warmUp(server, ground)
    for (let round = 0; round < rounds; round++) {
      for (const server of shuffled(servers)) {
        scores.get(server.entrant.label)?.push(await sample(server, ground))
      }
    }
    for (const server of servers) await server.probe()
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const settleMs = 1000

// Counted in requests: on a busy machine a second is too short for the compiler to get anywhere.
async function warmUp(server: ServerProcess, { load, options }: Ground): Promise<void> {
  const { connections, burstSeconds, warmUpRequests } = options
  for (let sent = 0; sent < warmUpRequests;) {
    sent += (await load.burst(server.request, connections, burstSeconds)).requests
  }
}

async function sample(server: ServerProcess, { load, options }: Ground): Promise<Sample> {
  const before = await server.cpuMicros()
  const burst = await load.burst(server.request, options.connections, options.burstSeconds)
  const after = await server.cpuMicros()
  return {
    microsPerRequest: (after - before) / burst.requests,
    requestsPerSecond: burst.requests / burst.seconds,
  }
}
