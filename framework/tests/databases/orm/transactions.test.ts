import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DatabaseError } from '../../../src/database/database-error.ts'
import type { Database, Transaction } from '../../../src/database/surface.ts'
import { integer, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Dialects } from '../../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onDatabase, onEveryDatabase } from '../../support/test-databases.ts'
import type { OpenDatabase } from '../../support/test-databases.ts'

const Notes = entity('notes', { id: key.integer(), body: text(), stars: integer() })

async function openNotes(open: OpenDatabase, t: TestContext, options = ''): Promise<Database> {
  const database = await open(t, options)
  await database.run(
    sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, body VARCHAR(50) NOT NULL, stars INTEGER NOT NULL)`,
  )
  return database
}

function add(id: number): ReturnType<typeof sql> {
  return sql`INSERT INTO notes (id, body, stars) VALUES (${id}, ${`note ${id}`}, ${0})`
}

async function ids(database: Database): Promise<readonly number[]> {
  const rows = await database.rows(sql`SELECT id FROM notes ORDER BY id`.as({ id: integer() }))
  return rows.map(({ id }) => id)
}

onEveryDatabase((name, open) => {
  test('statements, repositories and nested transactions of a Promise.all run in turn', async (t) => {
    const database = await openNotes(open, t)
    const found = await database.transaction(async (transaction) => {
      const notes = new Repository(Notes, transaction)
      await Promise.all([1, 2, 3].map((id) => transaction.run(add(id))))
      await Promise.all([
        notes.insert({ id: 4, body: 'four', stars: 4 }),
        notes.insertMany([{ id: 5, body: 'five', stars: 5 }]),
        transaction.transaction((inner) => Promise.all([inner.run(add(6)), inner.run(add(7))])),
        transaction.transaction((inner) => inner.run(add(8))),
        notes.update(1, { stars: 9 }),
      ])
      return Promise.all([
        notes.find(1),
        notes.count(),
        transaction.rows(sql`SELECT id FROM notes WHERE id > 6 ORDER BY id`),
        notes.all(notes.select()),
      ])
    })
    assert.equal(found[0]?.stars, 9)
    assert.equal(found[1], 8)
    assert.deepEqual(found[2], [{ id: 7 }, { id: 8 }])
    assert.equal(found[3].length, 8)
    assert.deepEqual(await ids(database), [1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('one that fails in a Promise.all rolls back the rest, and later ones are not sent', async (t) => {
    const database = await openNotes(open, t)
    const failing = database.transaction((transaction) =>
      Promise.all([1, 2, 2, 3, 4].map((id) => transaction.run(add(id)))),
    )
    await assert.rejects(failing, { code: 'E_DUPLICATE_KEY' })
    assert.deepEqual(await ids(database), [])
    await database.transaction((transaction) => transaction.run(add(5)))
    assert.deepEqual(await ids(database), [5])
  })

  test('a nested transaction that waits for the outer one is told, and does not hang', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (outer) => {
      await outer.transaction(async (inner) => {
        await assert.rejects(outer.run(add(1)), { code: 'E_SURFACE_BUSY' })
        await inner.run(add(2))
      })
    })
    assert.deepEqual(await ids(database), [2])
  })

  test('a nested transaction cannot have an isolation level of its own', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (outer) => {
      const nested = outer.transaction((inner) => inner.run(add(1)), { isolation: 'serializable' })
      await assert.rejects(nested, { name: 'InvalidArgumentException', message: /isolation/ })
      await outer.run(add(2))
    })
    assert.deepEqual(await ids(database), [2])
  })

  test('with retry a transaction that lost is repeated from its start, and no other failure is', async (t) => {
    const database = await openNotes(open, t)
    let calls = 0
    const lose = async (transaction: Transaction, times: number): Promise<number> => {
      calls += 1
      await transaction.run(add(calls))
      if (calls <= times) throw new DatabaseError('E_DEADLOCK', 'lost')
      return calls
    }
    assert.equal(await database.transaction((one) => lose(one, 2), { retry: 3 }), 3)
    assert.deepEqual(await ids(database), [3])
    calls = 10
    await assert.rejects(
      database.transaction((one) => lose(one, 99), { retry: 2 }),
      { code: 'E_DEADLOCK' },
    )
    assert.equal(calls, 13)
    calls = 20
    const busy = database.transaction(
      () => {
        calls += 1
        throw new DatabaseError('E_DATABASE_BUSY', 'locked')
      },
      { retry: 2 },
    )
    await assert.rejects(busy, { code: 'E_DATABASE_BUSY' })
    assert.equal(calls, 21)
    assert.deepEqual(await ids(database), [3])
  })

  test('retry is checked before anything is sent, and a nested transaction is not repeated', async (t) => {
    const database = await openNotes(open, t)
    for (const retry of [-1, 1.5, 101, Number.NaN]) {
      const message = new RegExp(`whole number from 0 to 100, got ${retry}$`)
      const refused = { name: 'InvalidArgumentException', message }
      await assert.rejects(
        database.transaction((one) => one.run(add(1)), { retry }),
        refused,
      )
      await database.transaction((outer) =>
        assert.rejects(
          outer.transaction((one) => one.run(add(1)), { retry }),
          refused,
        ),
      )
    }
    let calls = 0
    const failing = database.transaction((outer) =>
      outer.transaction(
        () => {
          calls += 1
          throw new DatabaseError('E_DEADLOCK', 'lost')
        },
        { retry: 5 },
      ),
    )
    await assert.rejects(failing, { code: 'E_DEADLOCK' })
    assert.equal(calls, 1)
    assert.deepEqual(await ids(database), [])
  })

  test('the error of a transaction that ended early says what was kept', async (t) => {
    const database = await openNotes(open, t)
    const ended = async (statement: string): Promise<string> => {
      const [last = 0] = (await ids(database)).toReversed()
      const failing = database.transaction(async (transaction) => {
        await transaction.run(add(last + 1))
        await transaction.run({ sql: statement, parameters: [] })
        await transaction.run(add(last + 2)).catch(() => undefined)
      })
      const message = await failing.then(() => 'nothing', String)
      const after = await ids(database)
      assert.equal(after.includes(last + 1), /is kept/.test(message), message)
      assert.equal(after.includes(last + 2), false)
      return message
    }
    const rest =
      'and nothing was run after it; leave BEGIN, COMMIT and ROLLBACK to transaction(), and schema changes to migrations'
    assert.equal(
      await ended('COMMIT'),
      `DatabaseError: COMMIT ended this transaction: what was done until then is kept, ${rest}`,
    )
    assert.equal(
      await ended('ROLLBACK'),
      `DatabaseError: ROLLBACK ended this transaction: what was done until then is undone, ${rest}`,
    )
    if (name === Dialects.MariaDB) {
      assert.match(
        await ended('CREATE TABLE others (id INTEGER)'),
        /^DatabaseError: CREATE ended .* is kept/,
      )
    } else {
      // A schema change is part of the transaction here.
      await database.transaction((one) => one.run(sql`CREATE TABLE others (id INTEGER)`))
    }
    await database.run(sql`SELECT id FROM others`)
  })

  test('a statement prepared before a column was added sees it, inside a transaction too', async (t) => {
    const database = await openNotes(open, t, 'pool=1')
    await database.run(add(1))
    const read = sql`SELECT * FROM notes`
    const inside = (): Promise<readonly unknown[]> =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`UPDATE notes SET stars = stars + ${1}`)
        return transaction.rows(read)
      })
    await inside()
    await inside()
    await database.run(sql`ALTER TABLE notes ADD COLUMN colour INTEGER DEFAULT 7`)
    assert.deepEqual(await inside(), [{ id: 1, body: 'note 1', stars: 3, colour: 7 }])
    await database.run(sql`ALTER TABLE notes DROP COLUMN colour`)
    assert.deepEqual(await inside(), [{ id: 1, body: 'note 1', stars: 4 }])
    assert.deepEqual(await database.rows(read), [{ id: 1, body: 'note 1', stars: 4 }])
  })
})

for (const dialect of [Dialects.Postgres, Dialects.MariaDB]) {
  onDatabase(dialect, (_name, open) => {
    const widen = {
      sqlite: '',
      postgres: 'ALTER TABLE notes ALTER COLUMN stars TYPE BIGINT',
      mariadb: 'ALTER TABLE notes MODIFY COLUMN stars BIGINT NOT NULL',
    }[dialect]

    test('a statement prepared before its column got another type renews itself', async (t) => {
      const database = await openNotes(open, t, 'pool=1')
      await database.run(add(1))
      const [read, write] = [
        sql`SELECT stars FROM notes WHERE id = ${1}`,
        (stars: number) => sql`UPDATE notes SET stars = ${stars} WHERE id = ${1}`,
      ]
      const [first, later] = [
        (): Promise<unknown> => database.transaction((transaction) => transaction.rows(read)),
        (): Promise<unknown> =>
          database.transaction(
            async (transaction) => {
              await transaction.run(sql`SELECT 1 AS one`)
              return transaction.rows(read)
            },
            { retry: 1 },
          ),
      ]
      await first()
      await later()
      await database.transaction((transaction) => transaction.run(write(5)))
      await database.run({ sql: widen, parameters: [] })
      const large = 4_000_000_000
      await database.transaction((transaction) => transaction.run(write(large)))
      assert.deepEqual(await later(), [{ stars: BigInt(large) }])
      assert.deepEqual(await first(), [{ stars: BigInt(large) }])
    })

    test('two transactions that lock rows in opposite orders both succeed with retry', async (t) => {
      const database = await openNotes(open, t)
      await database.run(add(1))
      await database.run(add(2))
      const both = Promise.withResolvers<void>()
      let ready = 0
      const cross = (one: number, other: number): Promise<void> =>
        database.transaction(
          async (transaction) => {
            await transaction.run(sql`UPDATE notes SET stars = stars + 1 WHERE id = ${one}`)
            ready += 1
            if (ready === 2) both.resolve()
            await both.promise
            await transaction.run(sql`UPDATE notes SET stars = stars + 1 WHERE id = ${other}`)
          },
          { retry: 3 },
        )
      await Promise.all([cross(1, 2), cross(2, 1)])
      // The one that is repeated may be faster than the one that got its lock, and they meet again.
      assert.ok(ready > 2, `${ready} attempts`)
      const rows = await database.rows(sql`SELECT stars FROM notes`)
      assert.deepEqual(rows, [{ stars: 2 }, { stars: 2 }])
    })
  })
}

onDatabase('postgres', (_name, open) => {
  test('a serialization failure is repeated with retry, also that of the COMMIT', async (t) => {
    const database = await openNotes(open, t)
    await database.run(add(1))
    await database.run(add(2))
    const both = Promise.withResolvers<void>()
    let ready = 0
    const skew = (read: number, write: number): Promise<void> =>
      database.transaction(
        async (transaction) => {
          await transaction.rows(sql`SELECT stars FROM notes WHERE id = ${read}`)
          ready += 1
          if (ready === 2) both.resolve()
          await both.promise
          await transaction.run(sql`UPDATE notes SET stars = stars + 1 WHERE id = ${write}`)
        },
        { isolation: 'serializable', retry: 3 },
      )
    await Promise.all([skew(1, 2), skew(2, 1)])
    assert.equal(ready, 3)
  })
})

onDatabase('mariadb', (_name, open) => {
  for (const call of ['CALL sneak()', "/* x */ EXECUTE IMMEDIATE 'CALL sneak()'"]) {
    test(`${call}, which commits and begins again, is noticed`, async (t) => {
      const database = await openNotes(open, t)
      await database.run(sql`CREATE PROCEDURE sneak() BEGIN COMMIT; START TRANSACTION; END`)
      const failing = database.transaction(async (transaction) => {
        await transaction.run(add(1))
        await transaction.run({ sql: call, parameters: [] })
        await transaction.run(add(2))
      })
      await assert.rejects(failing, { code: 'E_TRANSACTION_ENDED', message: /is kept/ })
      assert.deepEqual(await ids(database), [1])
      await database.run(sql`CREATE PROCEDURE harmless() SELECT 1 AS one`)
      await database.transaction(async (transaction) => {
        await transaction.run(add(3))
        assert.deepEqual(await transaction.rows(sql`CALL harmless()`), [{ one: 1 }])
        await transaction.run(add(4))
      })
      assert.deepEqual(await ids(database), [1, 3, 4])
    })
  }
})
