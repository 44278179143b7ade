import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Database, Transaction } from '../../src/database/surface.ts'
import { Migrator } from '../../src/migrations/migrator.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { plantProject } from '../support/plant-project.ts'
import { onDatabase, onEveryDatabase } from '../support/test-databases.ts'
import type { OpenDatabase } from '../support/test-databases.ts'

const ended = { name: 'DatabaseError', code: 'E_TRANSACTION_ENDED' }

function plain(text: string): Query {
  return { sql: text, parameters: [] }
}

function add(id: number): Query {
  return plain(`insert into notes values (${id})`)
}

async function openNotes(open: OpenDatabase, t: TestContext): Promise<Database> {
  const database = await open(t, 'pool=1')
  await database.run(plain('create table notes (id int primary key)'))
  return database
}

async function notes(database: Database): Promise<unknown[]> {
  const rows = await database.rows(sql`select id from notes order by id`)
  return rows.map(({ id }) => id)
}

onEveryDatabase((name, open) => {
  for (const [end, kept] of [
    ['COMMIT', [1]],
    ['  commit', [1]],
    ['/* so be it */ COMMIT', [1]],
    ['ROLLBACK', []],
  ] as const) {
    test(`a transaction whose work ends with ${JSON.stringify(end)} fails`, async (t) => {
      const database = await openNotes(open, t)
      const failing = database.transaction(async (transaction) => {
        await transaction.run(add(1))
        await transaction.run(plain(end))
      })
      await assert.rejects(failing, ended)
      assert.deepEqual(await notes(database), kept)
      await database.transaction((transaction) => transaction.run(add(2)))
      assert.deepEqual(await notes(database), [...kept, 2])
    })
  }

  test('no statement runs after a COMMIT inside a transaction, whatever is caught', async (t) => {
    const database = await openNotes(open, t)
    const failing = database.transaction(async (transaction) => {
      await transaction.run(add(1))
      await transaction.run(sql`COMMIT`)
      await assert.rejects(transaction.run(add(2)), ended)
      assert.equal(transaction.dispatch(add(3)).state, 'failed')
      await assert.rejects(
        transaction.transaction((inner) => inner.run(add(4))),
        ended,
      )
    })
    await assert.rejects(failing, { ...ended, message: /^COMMIT ended this transaction/ })
    assert.deepEqual(await notes(database), [1])
  })

  test('a COMMIT in a savepoint also ends the transaction around it', async (t) => {
    const database = await openNotes(open, t)
    const failing = database.transaction(async (outer) => {
      await outer.run(add(1))
      const inside = outer.transaction(async (inner) => {
        await inner.run(add(2))
        await inner.run(sql`COMMIT`)
      })
      await assert.rejects(inside, ended)
      await assert.rejects(outer.run(add(3)), ended)
    })
    await assert.rejects(failing, ended)
    assert.deepEqual(await notes(database), [1, 2])
  })

  test('a savepoint that its work released or rolled back fails', async (t) => {
    const database = await openNotes(open, t)
    const failing = database.transaction((outer) =>
      outer.transaction(async (inner) => {
        await inner.run(add(1))
        await inner.run(sql`RELEASE SAVEPOINT framework_1`)
      }),
    )
    await assert.rejects(failing, { name: 'DatabaseError' })
    assert.deepEqual(await notes(database), [])
  })

  test('savepoints made by the work itself are left alone', async (t) => {
    const database = await openNotes(open, t)
    await database.transaction(async (transaction) => {
      await transaction.run(sql`SAVEPOINT mine`)
      await transaction.run(add(1))
      await transaction.run(sql`ROLLBACK TO SAVEPOINT mine`)
      await transaction.run(sql`rollback to mine`)
      await transaction.run(sql`RELEASE SAVEPOINT mine`)
      await transaction.run(add(2))
    })
    assert.deepEqual(await notes(database), [2])
  })

  // On MariaDB each schema change commits.
  if (name === Dialects.MariaDB) return
  test('a migration that commits by itself fails', async (t) => {
    const database = await open(t)
    const folder = plantProject(t, {
      'migrations/20260101000000_one.ts': `export const up = async (schema) => {
        await schema.createTable('one', (table) => { table.key() })
        await schema.run({ sql: 'COMMIT', parameters: [] })
      }`,
    })
    const migrator = new Migrator(database, `${folder}/migrations`)
    await assert.rejects(migrator.up(), /20260101000000_one failed .*COMMIT ended/)
  })
})

for (const dialect of [Dialects.Postgres, Dialects.MariaDB]) {
  onDatabase(dialect, (_name, open) => {
    for (const end of ['COMMIT AND CHAIN', 'ROLLBACK AND CHAIN', 'commit work and chain']) {
      test(`${end}, which begins the next one, is noticed and that one rolled back`, async (t) => {
        const database = await openNotes(open, t)
        const failing = database.transaction(async (transaction) => {
          await transaction.run(add(1))
          await transaction.run(plain(end))
          await transaction.run(add(2)).catch(() => undefined)
        })
        await assert.rejects(failing, ended)
        assert.deepEqual(await notes(database), /^commit/i.test(end) ? [1] : [])
      })
    }
  })
}

onDatabase('mariadb', (_name, open) => {
  const implicit = ['create table others (id int)', 'START TRANSACTION', 'begin', 'truncate notes']
  for (const statement of implicit) {
    test(`${statement}, which commits implicitly on MariaDB, is noticed`, async (t) => {
      const database = await openNotes(open, t)
      const failing = database.transaction(async (transaction) => {
        await transaction.run(add(1))
        await transaction.run(plain(statement))
        await transaction.run(add(2)).catch(() => undefined)
      })
      await assert.rejects(failing, ended)
      assert.deepEqual(await notes(database), statement.startsWith('truncate') ? [] : [1])
    })
  }

  test('a failed schema change, which commits implicitly on MariaDB, is noticed', async (t) => {
    const database = await openNotes(open, t)
    const attempt = (work: (transaction: Transaction) => Promise<unknown>): Promise<unknown> =>
      database.transaction(async (transaction) => {
        await transaction.run(add(1))
        await assert.rejects(transaction.run(plain('create table notes (id int)')))
        await work(transaction)
      })
    await assert.rejects(
      attempt(async () => undefined),
      ended,
    )
    await database.run(sql`delete from notes`)
    await assert.rejects(
      attempt((transaction) => transaction.run(add(2))),
      ended,
    )
  })
})
