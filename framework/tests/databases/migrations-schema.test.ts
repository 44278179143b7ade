import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import type { TableBuilder } from '../../src/migrations/table-builder.ts'
import { key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { Matches, Orders } from '../../src/database/sql/plan/operators.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Statement } from '../../src/database/sql/plan/statement.ts'
import { onDatabase, onEveryDatabase } from '../support/test-databases.ts'

const marker = `it's "a" \\ back\\'slash; DROP TABLE posts; --`

const everything = (table: TableBuilder): void => {
  table.key()
  table.text('email', { length: 10 }).unique()
  table.text('body').default(marker)
  table.char('digest', 4).default('abcd')
  table.integer('rank').default(-1)
  table.bigint('views').default(2n ** 63n - 1n)
  table.decimal('price', { precision: 10, scale: 2 }).default('19.90')
  table.float('weight').default(0.5)
  table.boolean('open').default(true)
  table.date('due').default('2026-01-31')
  table.timestamp('created_at').defaultNow()
  table.timestamp('born').default(new Date('2026-01-31T12:00:00.123Z'))
  table.json('extra').default({ text: marker })
  table.bytes('icon', { length: 4 }).default(new Uint8Array([0, 39, 92, 255]))
  table.references('parent_id', 'posts', { onDelete: 'cascade' }).nullable()
  table.index([['rank', Orders.Desc], 'views'])
  table.unique(['rank', 'email'])
}

async function failure(database: Database, statement: Statement): Promise<string> {
  try {
    await database.run(statement)
    return 'none'
  } catch (error) {
    assert.ok(error instanceof DatabaseError)
    return error.code
  }
}

/** A schema whose every change is a transaction of its own, as in a migration. */
function schemaOf(database: Database): Pick<Schema, Changing> & { changes: string[] } {
  const changes: string[] = []
  const change = <T>(work: (schema: Schema) => Promise<T>): Promise<T> =>
    database.transaction(async (transaction) => {
      const schema = new Schema(transaction)
      const outcome = await work(schema)
      changes.push(...schema.changes)
      return outcome
    })
  return {
    changes,
    createTable: (...given) => change((schema) => schema.createTable(...given)),
    dropTable: (...given) => change((schema) => schema.dropTable(...given)),
    renameTable: (...given) => change((schema) => schema.renameTable(...given)),
    hasTable: (...given) => change((schema) => schema.hasTable(...given)),
    addColumn: (...given) => change((schema) => schema.addColumn(...given)),
    dropColumn: (...given) => change((schema) => schema.dropColumn(...given)),
    renameColumn: (...given) => change((schema) => schema.renameColumn(...given)),
    createIndex: (...given) => change((schema) => schema.createIndex(...given)),
    dropIndex: (...given) => change((schema) => schema.dropIndex(...given)),
  }
}

type Changing =
  | 'createTable'
  | 'dropTable'
  | 'renameTable'
  | 'hasTable'
  | 'addColumn'
  | 'dropColumn'
  | 'renameColumn'
  | 'createIndex'
  | 'dropIndex'

async function one(database: Database, statement: Statement): Promise<Record<string, unknown>> {
  const [row] = await database.rows(statement)
  assert.ok(row)
  return { ...row }
}

onEveryDatabase((_name, open) => {
  test('defaults are stored as written', async (t) => {
    const database = await open(t)
    await schemaOf(database).createTable('posts', everything)
    await database.run(sql`INSERT INTO posts (email) VALUES (${'a'})`)
    const row = await one(
      database,
      sql`SELECT body, digest, rank, price, weight, open, due, created_at, born, extra, icon, parent_id FROM posts`,
    )
    assert.equal(row['body'], marker)
    assert.equal(row['digest'], 'abcd')
    assert.equal(Number(row['rank']), -1)
    assert.equal(Number(row['price']), 19.9)
    assert.equal(row['weight'], 0.5)
    assert.equal(Number(row['open']), 1)
    assert.equal(row['due'], '2026-01-31')
    assert.match(String(row['born']), /^2026-01-31 12:00:00\.123/)
    const bytes = row['icon']
    assert.ok(bytes instanceof Uint8Array)
    assert.deepEqual([...bytes], [0, 39, 92, 255])
    assert.equal(row['parent_id'], null)
    const extra = row['extra']
    assert.deepEqual(typeof extra === 'string' ? JSON.parse(extra) : extra, { text: marker })
    const ageMs =
      Date.now() - Date.parse(String(row['created_at']).slice(0, 23).replace(' ', 'T') + 'Z')
    assert.ok(Math.abs(ageMs) < 60_000, `created_at is in UTC, it is ${ageMs} ms old`)
  })

  test('64-bit integers keep all digits', async (t) => {
    const database = await open(t)
    await schemaOf(database).createTable('posts', everything)
    await database.run(sql`INSERT INTO posts (email) VALUES (${'a'})`)
    const { views } = await one(database, sql`SELECT CAST(views AS CHAR(20)) AS views FROM posts`)
    assert.equal(String(views).trim(), '9223372036854775807')
  })

  test('the database rejects what the columns do not allow', async (t) => {
    const database = await open(t)
    await schemaOf(database).createTable('posts', everything)
    await database.run(sql`INSERT INTO posts (email) VALUES (${'a'})`)
    const refused: readonly (readonly [Statement, readonly string[]])[] = [
      [sql`INSERT INTO posts (email) VALUES (${'a'})`, ['E_DUPLICATE_KEY']],
      [sql`INSERT INTO posts (rank) VALUES (${1})`, ['E_NOT_NULL']],
      [sql`INSERT INTO posts (email) VALUES (${'a'.repeat(11)})`, ['E_VALUE', 'E_CHECK']],
      [sql`INSERT INTO posts (email, digest) VALUES (${'b'}, ${'abcde'})`, ['E_VALUE', 'E_CHECK']],
      [sql`INSERT INTO posts (email, parent_id) VALUES (${'b'}, ${99})`, ['E_FOREIGN_KEY']],
      [sql`INSERT INTO posts (email, extra) VALUES (${'b'}, ${'{'})`, ['E_VALUE', 'E_CHECK']],
      [
        sql`INSERT INTO posts (email, due) VALUES (${'b'}, ${'2026-02-30'})`,
        ['E_VALUE', 'E_CHECK'],
      ],
      [sql`INSERT INTO posts (email, born) VALUES (${'b'}, ${'soon'})`, ['E_VALUE', 'E_CHECK']],
    ]
    for (const [statement, codes] of refused) {
      const code = await failure(database, statement)
      assert.ok(codes.includes(code), `${statement.strings.join('?')} gave ${code}`)
    }
  })

  test('texts are equal only if they are identical', async (t) => {
    const database = await open(t)
    await schemaOf(database).createTable('words', (table) => {
      table.text('word', { length: 20 }).unique()
    })
    for (const word of ['jose', 'José', 'JOSE', 'jose ', 'josé']) {
      await database.run(sql`INSERT INTO words (word) VALUES (${word})`)
    }
    const found = await database.rows(sql`SELECT word FROM words WHERE word = ${'jose'}`)
    assert.deepEqual(
      found.map(({ word }) => word),
      ['jose'],
    )
  })

  test('a match finds them regardless of case', async (t) => {
    const database = await open(t)
    await schemaOf(database).createTable('words', (table) => {
      table.key()
      table.text('word', { length: 20 })
    })
    const words = new Repository(entity('words', { id: key.integer(), word: text() }), database)
    for (const word of ['Jose', 'JOSE', 'josie']) await words.insert({ word })
    const found = await words.all(words.select().match('word', Matches.StartsWith, 'jOSe'))
    assert.deepEqual(
      found.map(({ word }) => word),
      ['Jose', 'JOSE'],
    )
  })

  test('an id is never reused', async (t) => {
    const database = await open(t)
    await schemaOf(database).createTable('posts', (table) => {
      table.key()
      table.integer('n')
    })
    for (const n of [1, 2]) await database.run(sql`INSERT INTO posts (n) VALUES (${n})`)
    await database.run(sql`DELETE FROM posts WHERE n = ${2}`)
    await database.run(sql`INSERT INTO posts (n) VALUES (${3})`)
    const { id } = await one(database, sql`SELECT id FROM posts WHERE n = ${3}`)
    assert.equal(Number(id), 3)
  })

  test('a foreign key cascades or restricts deletion', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    await schema.createTable('users', (table) => table.key())
    await schema.createTable('notes', (table) => {
      table.key()
      table.references('user_id', 'users', { onDelete: 'cascade' })
    })
    await schema.createTable('bills', (table) => {
      table.key()
      table.references('user_id', 'users')
    })
    await database.run(sql`INSERT INTO users (id) VALUES (1), (2)`)
    await database.run(sql`INSERT INTO notes (user_id) VALUES (1)`)
    await database.run(sql`INSERT INTO bills (user_id) VALUES (2)`)
    await database.run(sql`DELETE FROM users WHERE id = 1`)
    assert.deepEqual(await database.rows(sql`SELECT * FROM notes`), [])
    assert.equal(await failure(database, sql`DELETE FROM users WHERE id = 2`), 'E_FOREIGN_KEY')
  })

  test('tables and columns are renamed and dropped', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    await schema.createTable('posts', (table) => {
      table.key()
      table.text('title', { length: 80 }).unique()
      table.integer('rank').default(0)
      table.index(['rank', 'title'])
    })
    await schema.renameTable('posts', 'articles')
    await schema.renameColumn('articles', 'title', 'headline')
    await database.run(sql`INSERT INTO articles (headline) VALUES (${'a'})`)
    assert.equal(await schema.hasTable('posts'), false)
    assert.equal(await schema.hasTable('articles'), true)
    await schema.dropColumn('articles', 'headline')
    const row = await one(database, sql`SELECT * FROM articles`)
    assert.deepEqual(Object.keys(row), ['id', 'rank'])
    await schema.dropTable('articles')
    assert.equal(await schema.hasTable('articles'), false)
    assert.deepEqual(schema.changes, [
      'created table posts',
      'renamed table posts to articles',
      'renamed column articles.title to headline',
      'dropped column articles.headline',
      'dropped table articles',
    ])
  })

  test('columns are added to a table that has rows', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    await schema.createTable('posts', (table) => {
      table.key()
      table.integer('n').default(0)
    })
    await database.run(sql`INSERT INTO posts (n) VALUES (1)`)
    await schema.addColumn('posts', (table) =>
      table.text('slug', { length: 9 }).nullable().unique(),
    )
    await schema.addColumn('posts', (table) => table.integer('rank').default(5))
    await schema.addColumn('posts', (table) => table.references('parent_id', 'posts').nullable())
    const row = await one(database, sql`SELECT slug, rank, parent_id FROM posts`)
    assert.deepEqual([row['slug'], Number(row['rank']), row['parent_id']], [null, 5, null])
    await database.run(sql`INSERT INTO posts (slug) VALUES (${'a'})`)
    assert.equal(
      await failure(database, sql`INSERT INTO posts (slug) VALUES (${'a'})`),
      'E_DUPLICATE_KEY',
    )
    const lost = sql`INSERT INTO posts (parent_id) VALUES (${99})`
    assert.equal(await failure(database, lost), 'E_FOREIGN_KEY')
  })

  test('a foreign key column can be dropped', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    await schema.createTable('users', (table) => table.key())
    await schema.createTable('posts', (table) => {
      table.key()
      table.references('user_id', 'users')
    })
    await schema.dropColumn('posts', 'user_id')
    await schema.dropTable('users')
  })

  test('indexes are created and dropped by the same arguments', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    await schema.createTable('posts', (table) => {
      table.integer('a')
      table.integer('b')
    })
    await schema.createIndex('posts', ['a', ['b', Orders.Desc]])
    await schema.createIndex('posts', ['a'], { unique: true })
    await database.run(sql`INSERT INTO posts (a, b) VALUES (1, 1)`)
    assert.equal(
      await failure(database, sql`INSERT INTO posts (a, b) VALUES (1, 2)`),
      'E_DUPLICATE_KEY',
    )
    await schema.dropIndex('posts', ['a'], { unique: true })
    await schema.dropIndex('posts', ['a', 'b'])
    await database.run(sql`INSERT INTO posts (a, b) VALUES (1, 2)`)
  })

  test('names that are SQL keywords are just names', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    const odd = 'select "x" `y`; drop'
    await schema.createTable('order', (table) => {
      table.key()
      table.integer(odd).default(1)
      table.index([odd])
    })
    await schema.renameColumn('order', odd, 'group')
    await database.run(sql`INSERT INTO ${sql.name('order')} (${sql.name('group')}) VALUES (${2})`)
    await schema.dropColumn('order', 'group')
    await schema.dropTable('order')
  })

  test('tables with a composite or text key hold each key once', async (t) => {
    const database = await open(t)
    const schema = schemaOf(database)
    await schema.createTable('memberships', (table) => {
      table.bigint('user_id')
      table.char('country', 2)
      table.primary(['user_id', 'country'])
    })
    const insert = sql`INSERT INTO memberships (user_id, country) VALUES (1, ${'de'})`
    await database.run(insert)
    assert.equal(await failure(database, insert), 'E_DUPLICATE_KEY')
  })
})

onDatabase(Dialects.MariaDB, (_name, open) => {
  test('an index on an existing text column without a length is rejected with a reason', async (t) => {
    const schema = schemaOf(await open(t))
    await schema.createTable('posts', (table) => {
      table.text('body')
      table.text('title', { length: 80 })
    })
    await assert.rejects(schema.createIndex('posts', ['title', 'body']), (error) => {
      assert.ok(error instanceof InvalidArgumentException)
      assert.match(error.message, /^posts\.body: MariaDB cannot index text/)
      return true
    })
    await schema.createIndex('posts', ['title'])
  })
})
