import { shuffled } from '../method/shuffled.ts'
import type { ContestantProcess } from './contestant-process.ts'
import type { Sample } from './contestant.ts'
import { clearStatement } from './blog/blog-data.ts'
import { BlogContests, type Clients, type Contests } from './contests.ts'
import type { Options } from './options.ts'
import type { Stage } from './stages/stage.ts'

/** What the libraries needed, contest by contest; all samples are in the order of the rounds. */
export type Scores = ReadonlyMap<Contests, ReadonlyMap<Clients, readonly Sample[]>>

/** Scores that are still being collected. */
export type OpenScores = ReadonlyMap<Contests, ReadonlyMap<Clients, Sample[]>>

/** Scores without a single sample. */
export function emptyScores(
  contests: readonly Contests[],
  clients: readonly Clients[],
): OpenScores {
  return new Map(
    contests.map((contest) => [contest, new Map(clients.map((client) => [client, []]))]),
  )
}

// So few pages at least, however long they take.
const minPages = 10

/**
 * Lets the libraries take turns: in each round every contest, in each contest every library once, in
 * an order that is shuffled each time. A change in the machine's load affects all of them equally.
 */
export async function playRounds(
  players: readonly ContestantProcess[],
  scores: OpenScores,
  options: Options,
  stage: Stage,
): Promise<void> {
  const contests = [...scores.keys()]
  const burst = new Map<ContestantProcess, ReadonlyMap<Contests, number>>()
  for (const player of players) {
    burst.set(player, await warmUp(player, contests, options, stage))
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const [contest, score] of scores) {
      for (const player of shuffled(players)) {
        const pages = burst.get(player)?.get(contest) ?? minPages
        if (contest === BlogContests.InsertMany) await stage.run(clearStatement)
        const sample = await player.play(contest, pages)
        if (sample !== null) score.get(player.client)?.push(sample)
      }
    }
  }
}

/** Warms up V8, and determines how many pages fit into a burst. */
async function warmUp(
  player: ContestantProcess,
  contests: readonly Contests[],
  { warmUpMs, burstMs }: Options,
  stage: Stage,
): Promise<ReadonlyMap<Contests, number>> {
  const fitting = new Map<Contests, number>()
  for (const contest of contests) {
    let pages = minPages
    for (let spentMs = 0; spentMs < warmUpMs;) {
      if (contest === BlogContests.InsertMany) await stage.run(clearStatement)
      const beganMs = performance.now()
      if ((await player.play(contest, pages)) === null) break
      const tookMs = performance.now() - beganMs
      spentMs += tookMs
      pages = Math.max(minPages, Math.round((pages * burstMs) / tookMs))
    }
    fitting.set(contest, pages)
  }
  return fitting
}
