import type { Pin } from '../method/pinning.ts'
import { ContestantProcess } from './contestant-process.ts'
import { type Clients, databases } from './contests.ts'
import type { Options } from './options.ts'
import { emptyScores, type OpenScores, playRounds, type Scores } from './play-rounds.ts'
import { expectedPages, type ShownPage } from './shown-pages.ts'
import type { Stage } from './stages/stage.ts'

/**
 * After so many rounds all processes are replaced: two processes of the same program differ slightly
 * for as long as they live.
 */
export const roundsOfLife = 5

/** What the libraries need on one database. */
export async function playStage(
  stage: Stage,
  clients: readonly Clients[],
  options: Options,
  pin: Pin,
): Promise<Scores> {
  const { rounds } = options
  const scores = emptyScores(clients)
  const expected = expectedPages(stage.rows)
  for (let played = 0; played < rounds; played += roundsOfLife) {
    console.error(`${databases[stage.database]}: ${played} of ${rounds} rounds are played`)
    const next = { ...options, rounds: Math.min(roundsOfLife, rounds - played) }
    await playLife({ stage, clients, expected, scores, pin }, next)
  }
  return scores
}

interface Life {
  readonly stage: Stage
  readonly clients: readonly Clients[]
  readonly expected: readonly ShownPage[]
  readonly scores: OpenScores
  readonly pin: Pin
}

/** Checks that all libraries give the same pages, and only then measures them. */
async function playLife(life: Life, options: Options): Promise<void> {
  const { stage, clients, expected, scores, pin } = life
  const players: ContestantProcess[] = []
  try {
    for (const client of clients) {
      const player = await ContestantProcess.start(client, stage, pin)
      players.push(player)
      await player.check(expected, stage.database)
    }
    await playRounds(players, scores, options)
  } finally {
    await Promise.all(players.map((player) => player.stop()))
  }
}
