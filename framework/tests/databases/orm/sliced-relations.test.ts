import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../../src/database/connect.ts'
import type { Database, Surface } from '../../../src/database/surface.ts'
import { integer, key } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { hasMany, manyToMany } from '../../../src/orm/relations/relation.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { SentStatements } from '../sent-statements.ts'

const Notes = entity('notes', { id: key.integer(), shelfId: integer(), stars: integer() })
const Shelves = entity('shelves', {
  id: key.integer(),
  notes: hasMany(() => Notes, 'shelfId'),
  favourites: manyToMany(() => Notes, {
    through: 'favourites',
    source: 'shelf_id',
    target: 'note_id',
  }),
})

const shelfCount = 150
const notesOfShelf = 40

/** How many rows a transaction has read so far; null where the database does not tell. */
async function rowsRead(transaction: Surface): Promise<number | null> {
  if (transaction.dialect.name === 'sqlite') return null
  const counts =
    transaction.dialect.name === 'mariadb'
      ? sql`SHOW SESSION STATUS LIKE 'Handler_read%'`
      : sql`SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read AS "Value" FROM pg_stat_xact_user_tables
            WHERE relname = 'notes'`
  const rows = await transaction.rows(counts)
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}

onEveryDatabase((_, _open, create) => {
  const sent = new SentStatements()
  let database: Database
  let shelves: Repository<typeof Shelves>
  before(async () => {
    database = await connect(await create(), { log: sent.log })
    await database.run(sql`CREATE TABLE shelves (id INTEGER PRIMARY KEY)`)
    await database.run(
      sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, shelf_id INTEGER NOT NULL, stars INTEGER NOT NULL)`,
    )
    await database.run(sql`CREATE INDEX notes_by_shelf ON notes (shelf_id, id)`)
    await database.run(
      sql`CREATE TABLE favourites (shelf_id INTEGER NOT NULL, note_id INTEGER NOT NULL, PRIMARY KEY (shelf_id, note_id))`,
    )
    shelves = new Repository(Shelves, database)
    const notes = new Repository(Notes, database)
    const ids = Array.from({ length: shelfCount }, (_, at) => at + 1)
    await shelves.insertMany(ids.map((id) => ({ id })))
    await notes.insertMany(
      ids.flatMap((shelfId) =>
        Array.from({ length: shelfId === 2 ? 0 : notesOfShelf }, (_, at) => ({
          id: (shelfId - 1) * notesOfShelf + at + 1,
          shelfId,
          stars: (at * 7) % 5,
        })),
      ),
    )
    for (const id of ids) {
      const first = ((id * 11) % shelfCount) * notesOfShelf
      const wanted = [1, 5, 9, 20, 31]
        .map((at) => first + at)
        .filter((note) => note < 41 || note > 80)
      await shelves.attach(id, 'favourites', wanted)
    }
    if (database.dialect.name === 'postgres') await database.run(sql`ANALYZE`)
  })
  after(() => database.close())

  const some = (count: number) =>
    shelves.select().filter('id', Operators.LessOrEqual, count).order(Orders.Asc, 'id')

  // Up to 64 each row is looked up by itself where there is no LATERAL; beyond they are ranked.
  for (const count of [1, 2, 3, 64, 65, shelfCount]) {
    for (const [offset, limit] of [
      [0, 3],
      [2, 3],
      [1, null],
    ] as const) {
      test(`${count} rows have the related rows of ${offset} to ${limit ?? 'the end'}, and each only once`, async () => {
        const all = await shelves.all(
          some(count).with({
            notes: (notes) =>
              notes.filter('stars', Operators.Greater, 0).order(Orders.Desc, 'stars'),
            favourites: (notes) => notes.order(Orders.Desc, 'id'),
          }),
        )
        const slice = <Note>(notes: readonly Note[]): readonly Note[] =>
          notes.slice(offset, limit === null ? undefined : offset + limit)
        const expected = all.map(({ id, notes, favourites }) => ({
          id,
          notes: slice(notes),
          favourites: slice(favourites),
        }))
        const sliced = await shelves.all(
          some(count).with({
            notes: (notes) => {
              notes.filter('stars', Operators.Greater, 0).order(Orders.Desc, 'stars')
              return limit === null ? notes.offset(offset) : notes.offset(offset).limit(limit)
            },
            favourites: (notes) => {
              notes.order(Orders.Desc, 'id')
              return limit === null ? notes.offset(offset) : notes.offset(offset).limit(limit)
            },
          }),
        )
        assert.deepEqual(sliced, expected)
      })
    }
  }

  test('an index is read no further than the limit', async () => {
    const newest = some(20).with({ notes: (notes) => notes.order(Orders.Desc, 'id').limit(2) })
    await database.transaction(async (transaction) => {
      const before = await rowsRead(transaction)
      const statements = await sent.during(() => shelves.using(transaction).all(newest))
      const read = await rowsRead(transaction)
      if (read !== null && before !== null) {
        assert.ok(read - before < 200, `${read - before} rows were read`)
        return
      }
      const parameters = Array.from({ length: 32 }, () => null)
      const plan = await transaction.rows({
        sql: `EXPLAIN QUERY PLAN ${statements.at(-1) ?? ''}`,
        parameters,
      })
      assert.deepEqual(
        plan.filter(({ detail }) => /SCAN notes|TEMP B-TREE/.test(String(detail))),
        [],
      )
    })
  })

  test('conditions with more values than one statement can bind for each row still work', async () => {
    const stars = Array.from({ length: 1200 }, (_, at) => at)
    const rows = await shelves.all(
      some(40).with({
        notes: (notes) =>
          notes.filter('stars', Operators.In, stars).order(Orders.Asc, 'id').limit(1),
      }),
    )
    assert.deepEqual(
      rows.map(({ notes }) => notes[0]?.id ?? null),
      rows.map(({ id }) => (id === 2 ? null : (id - 1) * notesOfShelf + 1)),
    )
  })
})
