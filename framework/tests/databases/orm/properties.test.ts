import { before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../../src/database/surface.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { checkAggregate } from './property/aggregates.ts'
import { Choices } from './property/choices.ts'
import { checkCursor, checkDistinct, checkNumbered, checkRead } from './property/checks.ts'
import { openStage } from './property/stage.ts'
import type { Stage } from './property/stage.ts'
import { makeWorld } from './property/world.ts'
import { checkWrite } from './property/writes.ts'

// ORM_TEST_WORLDS=200 tries so many worlds on each database, with other random numbers each time.
const worlds = Number(process.env['ORM_TEST_WORLDS'] ?? 0)
// A failure shows the world and what was read; ORM_TEST_SHRINK=1 looks for a smaller one, for minutes.
const shrinks = process.env['ORM_TEST_SHRINK'] !== undefined
const short = { sqlite: 7, postgres: 2, mariadb: 1 } as const
const reads = worlds > 0 ? 30 : 20
const seed = worlds > 0 ? Date.now() % 2 ** 31 : 20_260_131
const bytes = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat({ max: 255 }), { minLength: length, maxLength: length, size: 'max' })

type Check = (stage: Stage, choices: Choices) => Promise<void>

onEveryDatabase((name, open) => {
  let database: Database
  let prefixes = 0
  before(async () => {
    database = await open()
  })

  /** Plays random reads in random worlds; all databases have the same ones. */
  const property = (title: string, check: Check): void => {
    test(title, { timeout: 60_000 * Math.max(1, worlds) }, () =>
      fc.assert(
        fc.asyncProperty(
          bytes(250),
          fc.array(bytes(90), { minLength: shrinks ? 1 : reads, maxLength: reads, size: 'max' }),
          async (worldBytes, played) => {
            const tables = makeWorld(new Choices(worldBytes), `w${(prefixes += 1)}`)
            const stage = await openStage(database, tables)
            try {
              for (const readBytes of played) await check(stage, new Choices(readBytes))
            } finally {
              await stage.close()
            }
          },
        ),
        { numRuns: worlds > 0 ? worlds : short[name], seed, endOnFailure: !shrinks },
      ),
    )
  }

  property('a read returns the rows of the model and of plain SQL', checkRead)
  property('distinct rows are those of the model, and so is their number', checkDistinct)
  property('groups and what is computed from them are those of the model', checkAggregate)
  property('writes change the rows of the model, and return what they changed', checkWrite)
  property('numbered pages cut the rows of the model, with their totals', checkNumbered)
  property(
    'walks by cursor, forth, back and by the iterator, return the rows of the model',
    checkCursor,
  )
})
