import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Migrator } from '../../../src/migrations/migrator.ts'
import type { Dialects } from '../../../src/database/sql/dialects/dialect.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { plantMigrations as plant } from '../plant-migrations.ts'

const tables = `
  export async function up(schema) {
    await schema.createTable('users', (table) => { table.key() })
    await schema.createTable('posts', (table) => {
      table.key()
      table.text('title', { length: 20 }).nullable()
      table.bigint('author_id')
      table.integer('views')
    })
    await schema.run({ sql: 'INSERT INTO users (id) VALUES (1)', parameters: [] })
    const rows = Array.from({ length: 60 }, () => "('x', 1, 1)").join(', ')
    await schema.run({ sql: 'INSERT INTO posts (title, author_id, views) VALUES ' + rows, parameters: [] })
  }`

const slow = `
  export async function up(schema) {
    await schema.createIndex('posts', ['views'])
    await schema.changeColumn('posts', (table) => table.text('title', { length: 30 }).nullable())
    await schema.changeColumn('posts', (table) => table.text('title', { length: 30 }))
    await schema.changeColumn('posts', (table) => table.bigint('views'))
    await schema.addForeignKey('posts', 'author_id', 'users')
    await schema.dropColumn('posts', 'title')
    await schema.createIndex('users', ['id'])
  }`

const analyze: Readonly<Record<string, string>> = {
  postgres: 'ANALYZE posts, users',
  mariadb: 'ANALYZE TABLE posts, users',
}

const expected: Readonly<Record<Dialects, readonly string[]>> = {
  sqlite: [
    'createIndex posts_views_index reads every row',
    'changeColumn of title copies the table',
    'changeColumn of title copies the table',
    'changeColumn of views copies the table',
    'createIndex posts_author_id_index reads every row',
    'addForeignKey of author_id copies the table',
    'dropColumn of title writes every row anew',
  ],
  postgres: [
    'createIndex posts_views_index blocks every write until',
    'changeColumn of title reads every row for NULL',
    'changeColumn of views writes every row anew',
    'createIndex posts_author_id_index blocks every write until',
    'addForeignKey of author_id blocks every write to both tables',
  ],
  mariadb: [
    'changeColumn of title writes every row anew',
    'changeColumn of views copies the table',
    'addForeignKey of author_id copies the table',
  ],
}

onEveryDatabase((dialect, open) => {
  test('changes that block a big table are told before, with the safe way, and others are not', async (t) => {
    const database = await open(t)
    const first = { '20260101000000_tables.ts': tables }
    await new Migrator(database, plant(t, first)).up()
    const statement = analyze[dialect]
    if (statement !== undefined) await database.run({ sql: statement, parameters: [] })
    const folder = plant(t, { ...first, '20260102000000_slow.ts': slow })
    const texts: string[] = []
    const onWarning: NonNullable<ConstructorParameters<typeof Migrator>[2]>['onWarning'] = ({
      migration,
      table,
      text,
    }) => {
      assert.equal(`${migration} ${table}`, '20260102000000_slow posts')
      texts.push(text)
    }
    await new Migrator(database, folder, { bigTable: 50, onWarning }).up()
    assert.equal(texts.length, expected[dialect].length, texts.join('\n'))
    for (const [at, start] of expected[dialect].entries()) {
      const text = texts[at] ?? ''
      assert.ok(/^posts has about \d+ rows: /.test(text) && text.includes(`rows: ${start}`), text)
      assert.match(text, /; /, 'the safe way')
    }
  })

  test('who is warned may stop the migration, and a small table warns of nothing', async (t) => {
    const database = await open(t)
    const folder = plant(t, { '20260101000000_tables.ts': tables, '20260102000000_slow.ts': slow })
    const stop = (): never => {
      throw new Error('not today')
    }
    await new Migrator(database, folder, { onWarning: stop }).up()
    assert.deepEqual(await new Migrator(database, folder).pending(), [])
    const again = plant(t, {
      '20260101000000_tables.ts': tables,
      '20260102000000_slow.ts': slow,
      '20260103000000_drop.ts': `export const up = (schema) => schema.changeColumn('posts', (table) => table.text('views'))`,
    })
    const statement = analyze[dialect]
    if (statement !== undefined) await database.run({ sql: statement, parameters: [] })
    await assert.rejects(
      new Migrator(database, again, { bigTable: 50, onWarning: stop }).up(),
      /20260103000000_drop failed while migrating up: not today/,
    )
    assert.deepEqual(await new Migrator(database, again).pending(), ['20260103000000_drop'])
  })
})
