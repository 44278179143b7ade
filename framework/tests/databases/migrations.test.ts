import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { MigrationError } from '../../src/migrations/migration-error.ts'
import { Migrator, migrate, pendingMigrations } from '../../src/migrations/migrator.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onDatabase, onEveryDatabase } from '../support/test-databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { plantMigrations as plant, table, three } from './plant-migrations.ts'

async function tables(database: Database): Promise<string[]> {
  const found: string[] = []
  for (const name of ['one', 'two', 'three', 'four']) {
    const works = await database.run(sql`SELECT * FROM ${sql.name(name)}`).then(
      () => true,
      () => false,
    )
    if (works) found.push(name)
  }
  return found
}

async function states(migrator: Migrator): Promise<string[]> {
  return (await migrator.status()).map(({ name, state, batch }) => `${name} ${state} ${batch}`)
}

onEveryDatabase((dialect, open) => {
  test('up applies pending migrations in the order of names, as one batch, and only once', async (t) => {
    const database = await open(t)
    const folder = plant(t, three)
    const migrator = new Migrator(database, folder)
    assert.deepEqual(await migrator.pending(), Object.keys(three).map(stem))
    const steps = await migrator.up()
    assert.deepEqual(
      steps.map(({ name, direction, batch }) => [name, direction, batch]),
      Object.keys(three).map((name) => [stem(name), 'up', 1]),
    )
    assert.deepEqual(await tables(database), ['one', 'two', 'three'])
    assert.deepEqual(await migrator.up(), [])
    assert.deepEqual(await migrator.pending(), [])
    writeFileSync(join(folder, '20260104000000_four.ts'), table('four'))
    assert.deepEqual(await pendingMigrations(database, folder), ['20260104000000_four'])
    assert.deepEqual(await migrate(database, folder), ['20260104000000_four'])
    assert.deepEqual((await states(migrator)).slice(2), [
      '20260103000000_three applied 1',
      '20260104000000_four applied 2',
    ])
  })

  test('down reverts the last batch, the latest first, or the given number of migrations', async (t) => {
    const database = await open(t)
    const migrator = new Migrator(database, plant(t, three))
    await migrator.up({ steps: 1 })
    await migrator.up()
    const taken = await migrator.down()
    assert.deepEqual(
      taken.map(({ name, direction, batch }) => [name, direction, batch]),
      [
        ['20260103000000_three', 'down', 2],
        ['20260102000000_two', 'down', 2],
      ],
    )
    assert.deepEqual(await tables(database), ['one'])
    await migrator.up()
    assert.equal((await migrator.down({ steps: 3 })).length, 3)
    assert.deepEqual(await tables(database), [])
    assert.deepEqual(await migrator.down(), [])
  })

  test('an irreversible migration stops down before anything is reverted', async (t) => {
    const database = await open(t)
    const without = {
      ...three,
      '20260101000000_one.ts': table('one').replace('const down', 'const no'),
    }
    const migrator = new Migrator(database, plant(t, without))
    await migrator.up()
    await assert.rejects(migrator.down(), /20260101000000_one exports no down\(schema\)/)
    assert.deepEqual(await tables(database), ['one', 'two', 'three'])
  })

  test('status changes nothing', async (t) => {
    const database = await open(t)
    const migrator = new Migrator(database, plant(t, { '20260101000000_one.ts': table('one') }))
    assert.deepEqual(await states(migrator), ['20260101000000_one pending null'])
    await assert.rejects(database.run(sql`SELECT * FROM migrations`))
    await migrator.up()
    const [status] = await migrator.status()
    assert.match(status?.appliedAt ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const ageMs = Date.now() - Date.parse(`${status?.appliedAt?.replace(' ', 'T')}Z`)
    assert.ok(Math.abs(ageMs) < 60_000, `the time is in UTC, it is ${ageMs} ms old`)
  })

  test('a failure names the migration, keeps those before it and says what is left', async (t) => {
    const database = await open(t)
    const broken = `
      import { sql } from 'framework/database'
      export async function up(schema) {
        await schema.createTable('two', (table) => { table.key() })
        await schema.run(sql\`INSERT INTO two (id) VALUES (\${7})\`)
        await schema.run(sql\`INSERT INTO two (id) VALUES (\${7})\`)
      }`
    const folder = plant(t, { ...three, '20260102000000_two.ts': broken })
    const migrator = new Migrator(database, folder)
    await assert.rejects(migrator.up(), (error) => {
      assert.ok(error instanceof MigrationError)
      assert.equal(error.code, 'E_MIGRATION')
      assert.match(error.message, /^20260102000000_two failed while migrating up: /)
      const left =
        dialect === Dialects.MariaDB
          ? /so this stays.*: created table two\./
          : /It was rolled back completely/
      assert.match(error.message, left)
      assert.deepEqual(
        error.done.map(({ name }) => name),
        ['20260101000000_one'],
      )
      assert.ok(error.cause instanceof Error)
      return true
    })
    const left = dialect === Dialects.MariaDB ? ['one', 'two'] : ['one']
    assert.deepEqual(await tables(database), left)
    // Rows are rolled back together even where schema changes are not.
    if (left.length > 1) assert.deepEqual(await database.rows(sql`SELECT id FROM two`), [])
    assert.deepEqual(await states(migrator), [
      '20260101000000_one applied 1',
      '20260102000000_two pending null',
      '20260103000000_three pending null',
    ])
  })

  test('a migration that fails to load stops before any is run', async (t) => {
    const database = await open(t)
    const files = { ...three, '20260103000000_three.ts': `throw new Error('the oven is cold')` }
    await assert.rejects(migrate(database, plant(t, files)), /_three cannot be loaded: the oven/)
    assert.deepEqual(await tables(database), [])
  })

  test('late, changed and missing files are all rejected, and accepted by force', async (t) => {
    const database = await open(t)
    const folder = plant(t, three)
    const migrator = new Migrator(database, folder)
    await migrator.up()
    rmSync(join(folder, '20260101000000_one.ts'))
    writeFileSync(join(folder, '20260102000000_two.ts'), `${table('two')}\nexport const more = 1`)
    writeFileSync(join(folder, '20260101120000_late.ts'), table('four'))
    await assert.rejects(migrator.up(), (error) => {
      assert.ok(error instanceof MigrationError)
      assert.match(error.message, /20260101000000_one was applied and its file is gone/)
      assert.match(error.message, /20260102000000_two was changed after it was applied/)
      assert.match(
        error.message,
        /20260101120000_late comes before one that has already been applied/,
      )
      return true
    })
    assert.deepEqual(await tables(database), ['one', 'two', 'three'])
    assert.deepEqual(await migrator.pending(), ['20260101120000_late'])
    const steps = await migrator.up({ force: true })
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['20260101120000_late'],
    )
    assert.deepEqual(await states(migrator), [
      '20260101000000_one missing 1',
      '20260101120000_late applied 2',
      '20260102000000_two applied 1',
      '20260103000000_three applied 1',
    ])
    await assert.rejects(migrator.down({ steps: 4 }), /20260101000000_one was applied and its file/)
    assert.deepEqual(await tables(database), ['one', 'two', 'three', 'four'])
  })

  test('concurrent migrators apply each migration once, as one batch', async (t) => {
    const database = await open(t)
    const folder = plant(t, three)
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => new Migrator(database, folder).up()),
    )
    assert.deepEqual(runs.map((steps) => String(steps.length)).toSorted(), ['0', '0', '0', '3'])
    assert.deepEqual(await tables(database), ['one', 'two', 'three'])
  })

  test('invalid steps and timeouts are rejected before anything is done', async (t) => {
    const database = await open(t)
    const folder = plant(t, three)
    for (const steps of [0, -1, 1.5, Number.NaN]) {
      const migrator = new Migrator(database, folder)
      await assert.rejects(migrator.up({ steps }), InvalidArgumentException)
      await assert.rejects(migrator.down({ steps }), InvalidArgumentException)
    }
    for (const timeout of [0, -1, Number.NaN, Infinity]) {
      assert.throws(() => new Migrator(database, folder, { timeout }), InvalidArgumentException)
    }
    assert.deepEqual(await tables(database), [])
  })

  test('one connection without pipelining and prepared statements is enough', async (t) => {
    const database = await open(t, 'pool=1&pipeline=off&prepare=off&pool_timeout=2')
    const migrator = new Migrator(database, plant(t, three))
    assert.equal((await migrator.up()).length, 3)
    assert.equal((await migrator.down({ steps: 1 })).length, 1)
    assert.equal((await migrator.fresh({ environment: 'test' })).length, 3)
  })

  test('the ledger may have another name', async (t) => {
    const database = await open(t)
    const folder = plant(t, three)
    await migrate(database, folder, { table: 'applied_migrations' })
    const rows = await database.rows(sql`SELECT name FROM applied_migrations`)
    assert.equal(rows.length, 3)
    await assert.rejects(database.run(sql`SELECT * FROM migrations`))
  })

  test('a nested transaction of a migration is rolled back alone', async (t) => {
    const database = await open(t)
    const folder = plant(t, {
      '20260101000000_one.ts': `
        import { sql } from 'framework/database'
        export async function up(schema) {
          await schema.createTable('one', (table) => { table.key() })
          await schema.surface.transaction((inner) => inner.run(sql\`INSERT INTO one (id) VALUES (1)\`))
          await schema.surface.transaction(async (inner) => {
            await inner.run(sql\`INSERT INTO one (id) VALUES (2)\`)
            throw new Error('never mind')
          }).catch(() => undefined)
        }`,
    })
    await migrate(database, folder)
    const rows = await database.rows(sql`SELECT id FROM one`)
    assert.deepEqual(
      rows.map(({ id }) => Number(id)),
      [1],
    )
  })

  test('a locked table is waited for until the timeout', async (t) => {
    const database = await open(t, 'busy_timeout=0.1')
    await database.run(sql`CREATE TABLE held (id INTEGER NOT NULL PRIMARY KEY)`)
    const folder = plant(t, {
      '20260101000000_held.ts': `
        export const up = (schema) => schema.addColumn('held', (table) => table.integer('n').default(0))`,
    })
    await database.transaction(async (transaction) => {
      await transaction.run(sql`INSERT INTO held (id) VALUES (1)`)
      const hasty = new Migrator(database, folder, { timeout: 0.5 }).up()
      await assert.rejects(hasty, (error) => {
        assert.ok(error instanceof MigrationError)
        // On SQLite nobody gets as far as the table.
        if (dialect === Dialects.SQLite) assert.match(error.message, /another process is migrating/)
        else assert.equal(codeOf(error.cause), 'E_DATABASE_BUSY')
        return true
      })
    })
    assert.equal((await migrate(database, folder)).length, 1)
  })
})

onDatabase(Dialects.MariaDB, (_name, _open, create) => {
  test('a migration that ends in a deadlock leaves no lock behind', async (t) => {
    const url = await create()
    const [first, second] = await Promise.all([connect(`${url}?pool=1`), connect(url)])
    t.after(() => Promise.all([first.close(), second.close()]))
    const folder = plant(t, {
      '20260101000000_deadlock.ts': `
        import { sql } from 'framework/database'
        export const up = (schema) =>
          schema.run(sql\`SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213\`)`,
    })
    await assert.rejects(new Migrator(first, folder).up(), /20260101000000_deadlock failed/)
    const other = plant(t, { '20260101000000_one.ts': table('one') })
    assert.equal((await new Migrator(second, other, { timeout: 0.5 }).up()).length, 1)
    const [row] = await first.rows(
      sql`SELECT @@lock_wait_timeout AS seconds, @@GLOBAL.lock_wait_timeout AS usual`,
    )
    assert.equal(row?.['seconds'], row?.['usual'])
  })
})

onDatabase(Dialects.Postgres, (_name, open, create) => {
  test('a migration without a transaction may build an index concurrently', async (t) => {
    const database = await open(t)
    const folder = plant(t, {
      '20260101000000_one.ts': table('one'),
      '20260102000000_index.ts': `
        import { sql } from 'framework/database'
        export const transaction = false
        export const up = (schema) => schema.run(sql\`CREATE INDEX CONCURRENTLY one_id ON one (id)\`)
        export const down = (schema) => schema.run(sql\`DROP INDEX CONCURRENTLY one_id\`)`,
    })
    const migrator = new Migrator(database, folder)
    assert.equal((await migrator.up()).length, 2)
    assert.equal((await migrator.down({ steps: 1 })).length, 1)
  })

  test('waiting too long for another migrator is an error', async (t) => {
    const url = await create()
    const [first, second] = await Promise.all([connect(url), connect(url)])
    t.after(() => Promise.all([first.close(), second.close()]))
    const folder = plant(t, {
      '20260101000000_slow.ts': `
        import { sql } from 'framework/database'
        export const up = (schema) => schema.run(sql\`SELECT * FROM held\`)`,
    })
    await second.run(sql`CREATE TABLE held (id INTEGER)`)
    // The first one waits in its migration for as long as the table is held.
    const slow = await second.transaction(async (holder) => {
      await holder.run(sql`LOCK TABLE held`)
      const migrating = new Migrator(first, folder).up()
      await waitFor('the migration to wait', async () => {
        const waiting = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'held'::regclass`
        return (await second.rows(waiting)).length > 0
      })
      const hasty = new Migrator(second, folder, { timeout: 0.2 }).up()
      await assert.rejects(hasty, /another process is migrating this database/)
      return { migrating }
    })
    assert.equal((await slow.migrating).length, 1)
    assert.equal((await new Migrator(second, folder).up()).length, 0)
  })
})

function codeOf(error: unknown): unknown {
  return error instanceof DatabaseError ? error.code : error
}

function stem(name: string): string {
  return name.replace(/\.ts$/, '')
}
