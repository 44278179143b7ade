import type { Pin } from '../method/pinning.ts'
import { ContestantProcess } from './contestant-process.ts'
import { type Clients, databases, type Suites } from './contests.ts'
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
  suite: Suites,
  stage: Stage,
  clients: readonly Clients[],
  options: Options,
  pin: Pin,
): Promise<Scores> {
  const { rounds } = options
  const scores = emptyScores(options.contests[suite], clients)
  const expected = suite === 'pages' ? expectedPages(stage.rows) : null
  for (let played = 0; played < rounds; played += roundsOfLife) {
    console.error(`${databases[stage.database]}: ${played} of ${rounds} rounds are played`)
    const next = { ...options, rounds: Math.min(roundsOfLife, rounds - played) }
    await playLife({ suite, stage, clients, expected, scores, pin }, next)
  }
  return scores
}

interface Life {
  readonly suite: Suites
  readonly stage: Stage
  readonly clients: readonly Clients[]
  /** The pages to check; null in the suite of the blog, which checks other things. */
  readonly expected: readonly ShownPage[] | null
  readonly scores: OpenScores
  readonly pin: Pin
}

/** Checks that all libraries give the same, and only then measures them. */
async function playLife(life: Life, options: Options): Promise<void> {
  const { suite, stage, clients, expected, scores, pin } = life
  const players: ContestantProcess[] = []
  try {
    for (const client of clients) {
      const player = await ContestantProcess.start(suite, client, stage, pin)
      players.push(player)
      if (expected === null) await player.checkBlog(stage)
      else await player.check(expected, stage.database)
    }
    await playRounds(players, scores, options, stage)
  } finally {
    await Promise.all(players.map((player) => player.stop()))
  }
}
