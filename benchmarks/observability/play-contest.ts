import { setTimeout } from 'node:timers/promises'
import type { Load } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { shuffled } from '../method/shuffled.ts'
import type { Sample } from '../sessions/play-contest.ts'
import { type Contest, type Entrant, isOurs } from './contests.ts'
import type { Options } from './options.ts'
import { ServerProcess } from './server-process.ts'
import type { Stage } from './stage.ts'

/** What one entrant did. */
export interface Score {
  /** In the order of the rounds in which it took part. */
  readonly samples: Sample[]
  /** Spans that arrived for each request, in the same order. */
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
  const { rounds, peerRounds } = ground.options
  const labels = contest.entrants.map(({ label }) => label)
  const scores = new Map<string, Score>(labels.map((label) => [label, { samples: [], spans: [] }]))
  for (let played = 0; played < rounds; played++) {
    console.error(`${contest.name}: ${played} of ${rounds} rounds are played`)
    // What the peers take is several times as much, and their processes differ less.
    const withPeers =
      Math.floor(((played + 1) * peerRounds) / rounds) > Math.floor((played * peerRounds) / rounds)
    const entrants = contest.entrants.filter((entrant) => withPeers || isOurs(entrant))
    await playRound(entrants, ground, scores)
  }
  return scores
}

// One after the other: a server that is idle while others have their turn is another one afterwards.
async function playRound(
  entrants: readonly Entrant[],
  ground: Ground,
  scores: Scores,
): Promise<void> {
  for (const entrant of shuffled(entrants)) {
    const server = await ServerProcess.start(entrant, ground.stage, ground.pin)
    try {
      await server.probe()
      await warmUp(server, ground)
      await setTimeout(settleMs)
      const score = scores.get(entrant.label)
      score?.samples.push(await sample(server, ground))
      await server.probe()
      score?.spans.push(await spansOf(server))
    } finally {
      await server.stop()
    }
  }
}

async function warmUp(server: ServerProcess, ground: Ground): Promise<void> {
  const { warmUpRequests, warmUpSeconds } = ground.options
  const startMs = performance.now()
  let requests = 0
  while (requests < warmUpRequests || performance.now() - startMs < warmUpSeconds * 1_000) {
    requests += await burst(server, ground, Math.min(warmUpSeconds, 5))
  }
}

/** After a burst, spans that wait are sent: that belongs to it. */
const settleMs = 500

async function sample(server: ServerProcess, ground: Ground): Promise<Sample> {
  const before = await server.cpuMicros()
  const startMs = performance.now()
  const requests = await burst(server, ground, ground.options.burstSeconds)
  const seconds = (performance.now() - startMs) / 1000
  await setTimeout(settleMs)
  const after = await server.cpuMicros()
  return { microsPerRequest: (after - before) / requests, requestsPerSecond: requests / seconds }
}

async function burst(server: ServerProcess, ground: Ground, seconds: number): Promise<number> {
  const { load, options } = ground
  const { requests } = await load.burst(server.request, options.connections, seconds)
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
