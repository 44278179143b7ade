import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Migrator } from '../../src/migrations/migrator.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { plantMigrations as plant, three } from './plant-migrations.ts'

onEveryDatabase((dialect, open) => {
  test('fresh drops every table and view, whatever the references, and applies everything', async (t) => {
    const database = await open(t)
    const folder = plant(t, three)
    const migrator = new Migrator(database, folder)
    await migrator.up()
    await database.run(sql`CREATE TABLE parents (id INTEGER NOT NULL PRIMARY KEY)`)
    await database.run(
      sql`CREATE TABLE kids (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER NOT NULL, FOREIGN KEY (parent) REFERENCES parents (id))`,
    )
    await database.run(sql`CREATE VIEW families AS SELECT parent FROM kids`)
    await database.run(sql`INSERT INTO parents (id) VALUES (1)`)
    await database.run(sql`INSERT INTO kids (id, parent) VALUES (1, 1)`)
    await database.run(sql`INSERT INTO one (id) VALUES (1)`)
    const steps = await migrator.fresh({ environment: 'development' })
    assert.equal(steps.length, 3)
    assert.deepEqual(await database.rows(sql`SELECT * FROM one`), [])
    for (const name of ['parents', 'kids', 'families']) {
      await assert.rejects(database.run(sql`SELECT * FROM ${sql.name(name)}`))
    }
  })

  test('fresh drops tables that refer to each other in chains and cycles', async (t) => {
    const database = await open(t)
    const migrator = new Migrator(database, plant(t, three))
    await migrator.up()
    const run = (text: string): Promise<unknown> => database.run({ sql: text, parameters: [] })
    const refer = (column: string, to: string): string =>
      `FOREIGN KEY (${column}) REFERENCES ${to} (id) ON DELETE CASCADE`
    const chain = (name: string, parent: string): Promise<unknown> =>
      run(`CREATE TABLE ${name} (id BIGINT NOT NULL PRIMARY KEY, parent BIGINT, self BIGINT,
        ${refer('parent', parent)}, ${refer('self', name)})`)
    const chained = { roots: 'one', twigs: 'roots', leaves: 'twigs', eggs: 'one', hens: 'eggs' }
    for (const [name, parent] of Object.entries(chained)) {
      // SQLite takes a reference to a table that is not there yet, and no other later.
      await chain(name, name === 'eggs' && dialect === Dialects.SQLite ? 'hens' : parent)
    }
    if (dialect !== Dialects.SQLite) await run(`ALTER TABLE eggs ADD ${refer('parent', 'hens')}`)
    await run('INSERT INTO one (id) VALUES (1)')
    for (const name of Object.keys(chained)) await run(`INSERT INTO ${name} (id) VALUES (1)`)
    for (const name of Object.keys(chained)) await run(`UPDATE ${name} SET parent = 1, self = 1`)
    assert.equal((await migrator.fresh({ environment: 'development' })).length, 3)
    for (const name of Object.keys(chained)) await assert.rejects(run(`SELECT id FROM ${name}`))
    await chain('roots', 'one')
    await assert.rejects(run('INSERT INTO roots VALUES (1, 7, 1)'), { code: 'E_FOREIGN_KEY' })
  })

  test('fresh in production drops nothing unless forced', async (t) => {
    const database = await open(t)
    const migrator = new Migrator(database, plant(t, three))
    await migrator.up()
    await database.run(sql`INSERT INTO one (id) VALUES (1)`)
    await assert.rejects(migrator.fresh({ environment: 'production' }), /this is production/)
    assert.equal((await database.rows(sql`SELECT * FROM one`)).length, 1)
    await migrator.fresh({ environment: 'production', force: true })
    assert.equal((await database.rows(sql`SELECT * FROM one`)).length, 0)
  })
})
