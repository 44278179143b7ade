import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Database } from '../../../src/database/surface.ts'
import { compareSchema } from '../../../src/migrations/check/compare-schema.ts'
import { schemaFixMigration } from '../../../src/migrations/check/schema-difference.ts'
import { projectEntities } from '../../../src/migrations/project-modules.ts'
import { migrate } from '../../../src/migrations/migrator.ts'
import { Schema } from '../../../src/migrations/schema.ts'
import type { TableBuilder } from '../../../src/migrations/table-builder.ts'
import * as column from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { createdAt, version } from '../../../src/orm/entity/column.ts'
import type { AnyEntity } from '../../../src/orm/entity/entity.ts'
import { belongsTo, hasMany, manyToMany } from '../../../src/orm/relations/relation.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { plantMigrations as plant } from '../plant-migrations.ts'

const {
  bigint,
  boolean,
  bytes,
  date,
  decimal,
  enumeration,
  float,
  integer,
  json,
  key,
  safeInteger,
  text,
  time,
  timestamp,
  uuid,
} = column

const Users = entity('users', {
  id: key.integer(),
  name: text(),
  get posts() {
    return hasMany(() => Posts, 'authorId')
  },
})

const Tags = entity('tags', { code: key.text(), label: text().nullable() })

const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer().optional(),
  size: bigint(),
  price: decimal({ precision: 10, scale: 2 }),
  weight: float().nullable(),
  open: boolean(),
  due: date(),
  at: timestamp().optional(),
  extra: json(),
  icon: bytes(),
  author: belongsTo(() => Users),
  tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_code' }),
})

async function createTable(
  database: Database,
  name: string,
  define: (table: TableBuilder) => void,
): Promise<void> {
  await database.transaction((transaction) => new Schema(transaction).createTable(name, define))
}

async function texts(database: Database, entities: readonly AnyEntity[]): Promise<string[]> {
  return (await compareSchema(database, entities)).map(({ text: words, isAdvice }) =>
    isAdvice ? `advice: ${words}` : words,
  )
}

/** Applies the printed migration, which is TypeScript as it is. */
async function mend(
  t: Parameters<typeof plant>[0],
  database: Database,
  entities: readonly AnyEntity[],
): Promise<string> {
  const source = schemaFixMigration(await compareSchema(database, entities))
  assert.ok(source !== null)
  await migrate(database, plant(t, { '20260101000000_mend.ts': source }))
  return source
}

const Orders = entity('orders', {
  id: key.uuid(),
  state: enumeration(['draft', "it's live"]),
  opens: time(),
  reference: uuid().nullable(),
  total: safeInteger(),
  created: createdAt(),
  revision: version(),
  parent: belongsTo(() => Users).nullable(),
})

const Lines = entity(
  'lines',
  {
    orderId: key.uuid(),
    line: key.integer(),
    deletedAt: timestamp().nullable(),
    order: belongsTo(() => Orders, 'orderId'),
  },
  { softDelete: 'deletedAt' },
)

onEveryDatabase((_name, open) => {
  test('an empty database lacks every table, and the printed migration makes them', async (t) => {
    const database = await open(t)
    assert.deepEqual(await texts(database, [Posts]), [
      'the table users does not exist',
      'the table posts does not exist',
      'the table tags does not exist',
      'the table post_tags does not exist',
    ])
    const source = await mend(t, database, [Posts])
    assert.match(source, /export async function down\(schema: Schema\)/)
    assert.deepEqual(await texts(database, [Posts, Users, Tags]), [])
  })

  test('each difference is a sentence, and the printed migration mends it', async (t) => {
    const database = await open(t)
    await createTable(database, 'users', (table) => table.key())
    await createTable(database, 'posts', (table) => {
      table.key()
      table.text('title', { length: 40 }).nullable()
      table.integer('views')
      table.text('size', { length: 20 })
      table.decimal('price', { precision: 8, scale: 2 })
      table.text('weight').nullable()
      table.boolean('open').nullable()
      table.date('due')
      table.timestamp('at').defaultNow()
      table.json('extra')
      table.bytes('icon')
      table.bigint('author_id')
    })
    await createTable(database, 'tags', (table) => {
      table.text('code', { length: 20 })
      table.text('label')
      table.integer('rank').nullable()
      table.primary(['code'])
    })
    await createTable(database, 'post_tags', (table) => {
      table.bigint('post_id')
      table.text('tag_code', { length: 20 })
    })
    const found = await texts(database, [Posts])
    assert.deepEqual(
      found.map((line) => line.replace(/is \S.* in the database and/, 'is … in the database and')),
      [
        'users.name does not exist',
        'posts.title may be NULL in the database, but not in the entity',
        'an insert may omit posts.views, but the database has no default for it',
        'posts.size is … in the database and bigint in the entity',
        'posts.price is … in the database and decimal (10, 2) in the entity',
        'posts.weight is … in the database and float in the entity',
        'posts.open may be NULL in the database, but not in the entity',
        'posts.author_id is not a foreign key to users.id',
        'advice: no index of posts begins with author_id, so its relation reads the whole table',
        'tags.label may be NULL in the entity, but not in the database',
        'post_tags.post_id is not a foreign key to posts.id',
        'advice: no index of post_tags begins with post_id, so its relation reads the whole table',
        'post_tags.tag_code is not a foreign key to tags.code',
        'advice: no index of post_tags begins with tag_code, so its relation reads the whole table',
      ],
    )
    const source = await mend(t, database, [Posts])
    assert.match(
      source,
      /changeColumn\('posts', \(table\) => table\.text\('title', \{ length: 40 \}\)\)/,
    )
    assert.deepEqual(await texts(database, [Posts]), [
      'advice: post_tags may hold the same post_id and tag_code twice: they have no unique index',
    ])
  })

  test('a key that is not one and a column that every insert lacks are told', async (t) => {
    const database = await open(t)
    await createTable(database, 'tags', (table) => {
      table.text('code', { length: 20 })
      table.text('label').nullable()
      table.text('secret')
    })
    await createTable(database, 'users', (table) => {
      table.bigint('id')
      table.text('name')
      table.primary(['id'])
    })
    assert.deepEqual(
      await texts(database, [Tags, entity('users', { id: key.integer(), name: text() })]),
      [
        'tags.secret is not in the entity, may not be NULL and has no default, so every insert fails',
        'the primary key of tags is code in the entity and none in the database',
        ...(_name === 'sqlite'
          ? []
          : ['an insert may omit users.id, but the database has no default for it']),
      ],
    )
  })

  test('columns of every kind are known, and those that a repository fills need no default', async (t) => {
    const database = await open(t)
    await mend(t, database, [Lines])
    assert.deepEqual(await texts(database, [Orders, Lines]), [])
    await database.transaction(async (transaction) => {
      const schema = new Schema(transaction)
      await schema.dropTable('lines')
      await schema.changeColumn('orders', (table) => table.integer('total'))
      await schema.changeColumn('orders', (table) => table.enumeration('state', ['only']))
      await schema.changeColumn('orders', (table) =>
        table.enumeration('state', ['draft', 'sent']).default('sent'),
      )
      await schema.dropColumn('orders', 'opens')
    })
    const narrow = ['orders.total is … in the database and safe-integer in the entity']
    const found = await texts(database, [Orders])
    assert.deepEqual(
      found.map((line) => line.replace(/is \S.* in the database and/, 'is … in the database and')),
      [
        "orders.state refuses 'it's live' in the database, a member in the entity",
        'orders.opens does not exist',
        ...(_name === 'sqlite' ? [] : narrow),
      ],
    )
    await database.run(sql`INSERT INTO users (name) VALUES ('Ada')`)
    const insert = (state: string): Promise<unknown> =>
      database.run(sql`INSERT INTO orders (id, state, total, created, revision)
        VALUES ('0198c0de-0000-7000-8000-000000000001', ${state}, 1, '2026-01-31 12:00:00.000000', 1)`)
    await assert.rejects(insert("it's live"))
    await insert('sent')
  })

  test('a member that a CHECK of any form refuses is told, and the printed migration adds it', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TABLE plans (
      id INTEGER NOT NULL PRIMARY KEY,
      own VARCHAR(20) NOT NULL CHECK (own IN ('it''s (odd)', 'b')),
      listed VARCHAR(20) NOT NULL,
      -- ) CHECK (listed = 'comment'
      free VARCHAR(20) NOT NULL,
      least VARCHAR(20) CHECK (least <> 'b' OR least IS NULL),
      size INTEGER NOT NULL CHECK (size > 0),
      CONSTRAINT plans_listed CHECK (listed = 'b' OR listed = 'c' AND listed <> ''),
      CHECK (free <> listed),
      CHECK (length(free) < 3)
    )`)
    const kinds = ["it's (odd)", 'b', 'c'] as const
    const Plans = entity('plans', {
      id: key.integer(),
      own: enumeration(kinds),
      listed: enumeration(['b', 'c']),
      free: enumeration(kinds),
      least: enumeration(kinds).nullable(),
      size: integer(),
    })
    const refusal = (place: string, members: string): string =>
      `plans.${place} refuses ${members} in the database, a member in the entity`
    const isKept =
      _name !== 'sqlite'
        ? ['an insert may omit plans.id, but the database has no default for it']
        : []
    assert.deepEqual(await texts(database, [Plans]), [
      ...isKept,
      refusal('own', "'c'"),
      refusal('free', "'it's (odd)'"),
      refusal('least', "'b'"),
    ])
    const Narrow = entity('plans', {
      id: key.integer(),
      own: enumeration(['b', 'x', 'y']),
      listed: text(),
      free: text(),
      size: integer(),
    })
    assert.deepEqual(await texts(database, [Narrow]), [
      ...isKept,
      "plans.own refuses 'x', 'y' in the database, members in the entity",
    ])
    await mend(t, database, [Narrow])
    assert.deepEqual(await texts(database, [Narrow]), isKept)
  })

  if (_name !== 'sqlite') {
    test('types that hold less than their kind are told, keys excepted', async (t) => {
      const database = await open(t)
      const isMariadb = _name === 'mariadb'
      const columns = isMariadb
        ? `id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, small SMALLINT NOT NULL, medium MEDIUMINT NOT NULL,
           plus INT UNSIGNED NOT NULL, wide BIGINT UNSIGNED NOT NULL, large BIGINT NOT NULL, at TIMESTAMP(6) NOT NULL DEFAULT '2026-01-01',
           short VARCHAR(3) NOT NULL, mood ENUM('it''s', 'Sad') NOT NULL, word ENUM('a') NOT NULL, parent_id INT UNSIGNED, KEY (parent_id),
           FOREIGN KEY (parent_id) REFERENCES narrow (id)`
        : `id SMALLINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, small SMALLINT NOT NULL, medium INTEGER NOT NULL,
           plus INTEGER NOT NULL, wide BIGINT NOT NULL, large BIGINT NOT NULL, at TIMESTAMPTZ(6) NOT NULL,
           short VARCHAR(3) NOT NULL, mood mood NOT NULL, word mood NOT NULL, parent_id SMALLINT REFERENCES narrow (id)`
      if (!isMariadb) await database.run(sql`CREATE TYPE mood AS ENUM ('it''s', 'Sad')`)
      await database.run({ sql: `CREATE TABLE narrow (${columns})`, parameters: [] })
      if (!isMariadb) await database.run(sql`CREATE INDEX narrow_parent ON narrow (parent_id)`)
      const Narrow = entity('narrow', {
        id: key.integer(),
        small: integer(),
        medium: integer(),
        plus: integer(),
        wide: bigint(),
        large: integer(),
        at: timestamp(),
        short: enumeration(['ab', 'abcd']),
        mood: enumeration(["it's", 'Sad', 'sad']),
        word: text(),
        get parent() {
          return belongsTo(() => Narrow).nullable()
        },
      })
      const line = (place: string, type: string, kind: string): string =>
        `narrow.${place} is ${type} in the database and ${kind} in the entity`
      const refused = [
        "narrow.short refuses 'abcd' in the database, a member in the entity",
        "narrow.mood refuses 'sad' in the database, a member in the entity",
      ]
      assert.deepEqual(
        await texts(database, [Narrow]),
        isMariadb
          ? [
              line('small', 'smallint(6)', 'integer'),
              line('medium', 'mediumint(9)', 'integer'),
              line('plus', 'int(10) unsigned', 'integer'),
              line('wide', 'bigint(20) unsigned', 'bigint'),
              line('at', 'timestamp(6)', 'timestamp'),
              ...refused,
              line('word', "enum('a')", 'text'),
            ]
          : [line('small', 'smallint', 'integer'), ...refused, line('word', 'mood', 'text')],
      )
      await mend(t, database, [Narrow])
      assert.deepEqual(await texts(database, [Narrow]), [])
    })

    test("the database's own ENUM holds an enumeration with its members", async (t) => {
      const database = await open(t)
      if (_name === 'postgres')
        await database.run(sql`CREATE TYPE mood AS ENUM ('sad', 'it''s', 'more')`)
      const type = _name === 'postgres' ? 'mood' : `ENUM('sad', 'it''s', 'more')`
      await database.run({
        sql: `CREATE TABLE moods (id CHAR(4) PRIMARY KEY, mood ${type} NOT NULL)`,
        parameters: [],
      })
      const Moods = entity('moods', { id: key.text(), mood: enumeration(["it's", 'sad']) })
      assert.deepEqual(await texts(database, [Moods]), [])
    })
  }

  test('a view is compared by its columns alone', async (t) => {
    const database = await open(t)
    await createTable(database, 'users', (table) => {
      table.key()
      table.text('name')
    })
    await database.run(sql`CREATE VIEW names AS SELECT id, name FROM users`)
    const Names = entity('names', { id: key.integer(), name: text(), born: text() })
    assert.deepEqual(await texts(database, [Names]), ['names.born does not exist'])
  })

  test('the entities of the demo do not differ from its migrations', async (t) => {
    const database = await open(t)
    const demo = join(import.meta.dirname, '../../../../demo')
    await migrate(database, join(demo, 'migrations'))
    assert.deepEqual(await texts(database, await projectEntities(join(demo, 'entities'))), [])
  })
})
