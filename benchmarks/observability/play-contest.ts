import { setTimeout } from 'node:timers/promises'
import type { Load } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { shuffled } from '../method/shuffled.ts'
import type { Sample } from '../sessions/play-contest.ts'
import type { Contest } from './contests.ts'
import type { Options } from './options.ts'
import { ServerProcess } from './server-process.ts'
import type { Stage } from './stage.ts'

/** What one entrant did. */
export interface Score {
  /** In the order of the rounds. */
  readonly samples: Sample[]
  /** Spans that arrived for each request, in the order of the rounds. */
  readonly spans: number[]
}

/** The scores of each entrant by its label. */
export type Scores = ReadonlyMap<string, Score>

/** What is the same for every contest of a run. */
export interface Ground {
  readonly stage: Stage
  readonly pin: Pin
  readonly load: Load
  readonly options: Options
}

/** Plays all rounds, each with new processes: two of them differ more than two bursts of one. */
export async function playContest(contest: Contest, ground: Ground): Promise<Scores> {
  const { rounds } = ground.options
  const labels = contest.entrants.map(({ label }) => label)
  const scores = new Map<string, Score>(labels.map((label) => [label, { samples: [], spans: [] }]))
  for (let played = 0; played < rounds; played++) {
    console.error(`${contest.name}: ${played} of ${rounds} rounds are played`)
    await playRound(contest, ground, scores)
  }
  return scores
}

async function playRound(contest: Contest, ground: Ground, scores: Scores): Promise<void> {
  const { stage, pin, options } = ground
  const servers: ServerProcess[] = []
  try {
    for (const entrant of contest.entrants) {
      servers.push(await ServerProcess.start(entrant, stage, pin))
    }
    for (const server of servers) await server.probe()
    const enough = options.warmsUp ? contest.warmUpRequests : 1
    for (const server of servers) await warmUp(server, enough, ground)
    for (const server of shuffled(servers)) {
      scores.get(server.entrant.label)?.samples.push(await sample(server, ground))
    }
    for (const server of servers) await server.probe()
    for (const server of servers)
      scores.get(server.entrant.label)?.spans.push(await spansOf(server))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** After a burst, spans that wait are sent: that belongs to it. */
const settleMs = 500

async function warmUp(server: ServerProcess, requests: number, ground: Ground): Promise<void> {
  for (let sent = 0; sent < requests;) sent += await burst(server, ground)
  await setTimeout(settleMs)
}

async function sample(server: ServerProcess, ground: Ground): Promise<Sample> {
  const before = await server.cpuMicros()
  const startMs = performance.now()
  const requests = await burst(server, ground)
  const seconds = (performance.now() - startMs) / 1000
  await setTimeout(settleMs)
  const after = await server.cpuMicros()
  return { microsPerRequest: (after - before) / requests, requestsPerSecond: requests / seconds }
}

async function burst(server: ServerProcess, { load, options }: Ground): Promise<number> {
  const { connections, burstSeconds } = options
  const { requests } = await load.burst(server.request, connections, burstSeconds)
  if (requests === 0) throw new Error(`"${server.entrant.label}" answered nothing in a burst`)
  server.requests += requests
  return requests
}

/** @throws Error when a server that should trace did not, or one that should not did. */
async function spansOf(server: ServerProcess): Promise<number> {
  const { label, sampled } = server.entrant
  const spans = await server.spansPerRequest()
  const traces = sampled !== null && sampled > 0
  if (spans > 0 === traces) return spans
  throw new Error(
    `"${label}" sent ${spans} spans for each request, expected ${traces ? 'some' : 'none'}`,
  )
}
