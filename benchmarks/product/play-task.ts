import { setTimeout } from 'node:timers/promises'
import type { Burst, Load, LoadRequest } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { shuffled } from '../method/shuffled.ts'
import { median } from '../method/statistics.ts'
import { type Entrant, Labels } from './entrants.ts'
import type { HalfLoad } from './half-load.ts'
import type { Shares } from './profile.ts'
import type { SignInLoad } from './sign-in-load.ts'
import { ServerProcess, type Usage } from './server-process.ts'
import type { Stage } from './stage.ts'
import type { Task } from './tasks.ts'

/** One burst against one server. */
export interface Sample {
  /** CPU of the whole process. */
  readonly microsPerRequest: number
  /** CPU of its main thread, without what the thread pool does. */
  readonly threadMicrosPerRequest: number
  readonly requestsPerSecond: number
}

/** What one entrant did in a task; one p99, one pair of memories and one profile for each of its processes. */
export interface Score {
  readonly samples: Sample[]
  readonly p99Ms: number[]
  readonly idleBytes: number[]
  readonly loadedBytes: number[]
  /** Of ours alone, after everything else. */
  readonly shares: Shares[]
}

/** The scores of each entrant by its label; all samples in the order of the rounds. */
export type Scores = ReadonlyMap<string, Score>

/** What is the same for every task of a run. */
export interface Ground {
  readonly stage: Stage
  readonly folder: string
  readonly pin: Pin
  readonly load: Load
  readonly signIns: SignInLoad
  readonly halfLoad: HalfLoad
  readonly entrants: readonly Entrant[]
  readonly rounds: number
  readonly quick: boolean
}

/** After so many rounds all processes are replaced: two of one program differ as long as they live. */
export const roundsOfLife = 5

/**
 * Lets the servers take turns: one short burst each, round by round, so that a change in the machine's
 * load affects all of them equally. After its rounds each process gets half of its load.
 */
export async function playTask(task: Task, ground: Ground): Promise<Scores> {
  const { rounds, entrants } = ground
  const scores = new Map<string, Score>(
    entrants.map(({ label }) => [
      label,
      { samples: [], p99Ms: [], idleBytes: [], loadedBytes: [], shares: [] },
    ]),
  )
  for (let played = 0; played < rounds; played += roundsOfLife) {
    console.error(`${task.name}: ${played} of ${rounds} rounds are played`)
    await playLife(task, Math.min(roundsOfLife, rounds - played), ground, scores)
  }
  return scores
}

/** A server with the request that it is measured with. */
interface Player {
  readonly server: ServerProcess
  readonly request: LoadRequest
  readonly score: Score
  /** Its throughput in this life. */
  readonly perSecond: number[]
}

async function playLife(
  task: Task,
  rounds: number,
  ground: Ground,
  scores: ReadonlyMap<string, Score>,
): Promise<void> {
  const { stage, folder, pin } = ground
  const servers: ServerProcess[] = []
  try {
    for (const entrant of ground.entrants) {
      servers.push(await ServerProcess.start(entrant, task, stage, { folder, pin }))
    }
    await setTimeout(settleMs)
    const players: Player[] = []
    for (const server of servers) {
      const score = scores.get(server.entrant.label)
      if (score === undefined) continue
      score.idleBytes.push((await server.usage()).rss)
      const request = await server.request()
      await server.probe(request)
      players.push({ server, request, score, perSecond: [] })
    }
    for (const player of players) await warmUp(task, player, ground)
    for (let round = 0; round < rounds; round++) {
      for (const player of shuffled(players)) await sample(task, player, ground)
    }
    for (const { server, score } of players) score.loadedBytes.push((await server.usage()).rss)
    for (const player of shuffled(players)) await halfLoad(task, player, ground)
    for (const { server, request } of players) await server.probe(request)
    const ours = players.find(({ server }) => server.entrant.label === Labels.Ours)
    if (ours !== undefined) {
      ours.score.shares.push(await ours.server.profile(() => burst(task, ours, ground)))
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const settleMs = 1000

// Counted in requests: on a busy machine a second is too short for the compiler to get anywhere.
async function warmUp(task: Task, player: Player, ground: Ground): Promise<void> {
  const wanted = ground.quick ? task.warmUpRequests / 5 : task.warmUpRequests
  for (let sent = 0; sent < wanted;) sent += (await burst(task, player, ground)).requests
}

async function sample(task: Task, player: Player, ground: Ground): Promise<void> {
  const { server, score, perSecond } = player
  const before = await server.usage()
  const { requests, seconds } = await burst(task, player, ground)
  const after = await server.usage()
  if (requests === 0) throw new Error(`"${server.entrant.label}" answered nothing in a burst`)
  const spent = (name: keyof Usage): number => (after[name] - before[name]) / requests
  perSecond.push(requests / seconds)
  score.samples.push({
    microsPerRequest: spent('cpuMicros'),
    threadMicrosPerRequest: spent('threadMicros'),
    requestsPerSecond: requests / seconds,
  })
}

function burst(task: Task, { server, request }: Player, ground: Ground): Promise<Burst> {
  const { connections, burstSeconds: seconds } = task
  if (task.kind !== 'login') return ground.load.burst(request, connections, seconds)
  return ground.signIns.burst(server.origin, { connections, seconds })
}

async function halfLoad(task: Task, player: Player, ground: Ground): Promise<void> {
  const { server, request, score, perSecond } = player
  const rate = median(perSecond) / 2
  const seconds = ground.quick ? 2 : 5
  const p99Ms =
    task.kind === 'login'
      ? await ground.signIns.p99Ms(server.origin, { rate, seconds })
      : await ground.halfLoad.p99Ms(request, { rate, seconds, connections: task.connections })
  score.p99Ms.push(p99Ms)
}
