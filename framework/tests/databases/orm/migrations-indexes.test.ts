import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dialects } from '../../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onDatabase, onEveryDatabase } from '../../support/test-databases.ts'
import { change, codeOf, migrated } from './posts-migrations.ts'

onEveryDatabase((dialect, open) => {
  test('indexes are unique, partial and on expressions, or refused with a reason', async (t) => {
    const database = await open(t)
    const options = `{ unique: true, name: 'users_lower_name', where: sql\`id > \${1}\` }`
    const up = `await schema.createIndex('users', [sql\`lower(name)\`], ${options})`
    const down = `await schema.dropIndex('users', [sql\`lower(name)\`], ${options})`
    if (dialect === Dialects.MariaDB) {
      await assert.rejects(
        migrated(t, database, change(up, down)),
        /users_lower_name: MariaDB has no indexes on a part of the rows/,
      )
      const whole = change(up.replace(/, where: .*? \}/, ' }'), down)
      await assert.rejects(
        migrated(t, database, whole),
        /MariaDB has no indexes on expressions; add a generated column/,
      )
      return
    }
    const migrator = await migrated(t, database, change(up, down))
    await database.run(sql`INSERT INTO users (name) VALUES (${'ADA'})`)
    assert.equal(
      await codeOf(database, sql`INSERT INTO users (name) VALUES (${'ada'})`),
      'E_DUPLICATE_KEY',
    )
    await migrator.down()
    assert.equal(await codeOf(database, sql`INSERT INTO users (name) VALUES (${'ada'})`), 'none')
  })

  test('an index may be built while others write', async (t) => {
    const database = await open(t)
    const alone = 'export const transaction = false'
    const migrator = await migrated(
      t,
      database,
      change(
        `await schema.createIndex('posts', ['views'], { concurrently: true })`,
        `await schema.dropIndex('posts', ['views'], { concurrently: true })`,
        alone,
      ),
    )
    assert.equal((await migrator.down()).length, 1)
    assert.equal((await migrator.up()).length, 1)
  })
})

onDatabase(Dialects.Postgres, (_name, open) => {
  const alone = 'export const transaction = false'

  test('an index is not built concurrently in a transaction', async (t) => {
    const database = await open(t)
    const inside = change(`await schema.createIndex('posts', ['views'], { concurrently: true })`)
    await assert.rejects(
      migrated(t, database, inside),
      /only outside a transaction; write `export const transaction = false`/,
    )
  })

  test('a concurrent build that fails leaves no index, and the next attempt continues', async (t) => {
    const database = await open(t)
    const up = `await schema.createIndex('posts', ['views'], { concurrently: true })
      await schema.createIndex('notes', ['post_id'], { unique: true, concurrently: true })`
    await assert.rejects(
      migrated(t, database, change(up, '', alone)),
      /It ran without a transaction, so this stays.*created index posts_views_index/,
    )
    const indexes = async (): Promise<unknown[]> =>
      (
        await database.rows(sql`SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relname IN ('posts_views_index', 'notes_post_id_unique') ORDER BY 1`)
      ).map(({ name, valid }) => ({ name, valid }))
    assert.deepEqual(await indexes(), [{ name: 'posts_views_index', valid: true }])
    await database.run(sql`DELETE FROM notes WHERE id = 1`)
    await database.run(sql`CREATE UNIQUE INDEX notes_post_id_unique ON notes (post_id)`)
    // As a process that died leaves it.
    await database.run(
      sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'notes_post_id_unique'::regclass`,
    )
    await migrated(t, database, change(up, '', alone))
    assert.deepEqual(await indexes(), [
      { name: 'notes_post_id_unique', valid: true },
      { name: 'posts_views_index', valid: true },
    ])
  })
})
