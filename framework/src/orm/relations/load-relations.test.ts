import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../../tests/support/recording-surface.ts'
import type { RecordingOptions } from '../../../tests/support/recording-surface.ts'
import { dialects } from '../../../tests/support/dialects.ts'
import { connect } from '../../database/connect.ts'
import type { Surface } from '../../database/surface.ts'
import { bigint, integer, key, text } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow, RowBatch } from '../rows/hydrate-rows.ts'
import { rowsRead } from '../reading.ts'
import type { RelationRead } from '../reading.ts'
import * as relations from './load-relations.ts'
import { keyLists } from './load-relations.ts'
import { belongsTo, hasMany, hasOne, manyToMany } from './relation.ts'

const Users = entity('users', {
  id: key.bigint(),
  name: text(),
  get posts() {
    return hasMany(() => Posts, 'authorId')
  },
  get profile() {
    return hasOne(() => Profiles, 'userId')
  },
})
const Profiles = entity('profiles', { id: key.text(), user: belongsTo(() => Users) })
const Tags = entity('tags', { id: key.integer(), word: text() })
const Posts = entity('posts', {
  id: key.integer(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users).nullable(),
  tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
})

const large = 9_007_199_254_740_993n
const ada = { id: large, name: 'Ada' }
const bob = { id: 2n, name: 'Bob' }

const schema = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE profiles (id TEXT PRIMARY KEY, user_id INTEGER);
  CREATE TABLE tags (id INTEGER PRIMARY KEY, word TEXT);
  CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER, editor_id INTEGER);
  CREATE TABLE post_tags (post_id INTEGER, tag_id INTEGER);
  INSERT INTO users VALUES (${large}, 'Ada'), (2, 'Bob');
  INSERT INTO profiles VALUES ('b-late', 2), ('b-early', 2);
  INSERT INTO tags VALUES (1, 'tea'), (2, 'ink'), (3, 'sea');
  INSERT INTO posts VALUES (30, ${large}, 2), (10, ${large}, NULL), (20, 2, 99);
  INSERT INTO post_tags VALUES (10, 3), (10, 1), (20, 1)`

async function library(t: TestContext, options: RecordingOptions = {}): Promise<RecordingSurface> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  for (const sql of schema.split(';')) await database.run({ sql, parameters: [] })
  return new RecordingSurface(database, options)
}

const posts = (): PlainRow[] => [
  { id: 10, authorId: large, editorId: null },
  { id: 20, authorId: 2n, editorId: 99n },
  { id: 30, authorId: large, editorId: 2n },
]
const users = (): PlainRow[] => [
  { id: 1n, name: 'Eve' },
  { id: 2n, name: 'Bob' },
  { id: large, name: 'Ada' },
]

type Load = (surface: Surface, batch: RowBatch, reads: readonly RelationRead[]) => unknown

function onto(load: Load) {
  return (
    surface: Surface,
    own: AnyEntity,
    rows: readonly PlainRow[],
    names: readonly string[],
  ): unknown =>
    load(
      surface,
      { entity: own, rows, valuesOf: ({ property }) => rows.map((row) => row[property]) },
      names.map((name) => rowsRead(own, name, null)),
    )
}

const loadRelations = onto(relations.loadRelations)
const loadRelationsSync = onto(relations.loadRelationsSync)

// Both ways must pass the same tests.
const ways = {
  'with waiting': async (...given: Parameters<typeof loadRelations>) => loadRelations(...given),
  'without waiting': async (...given: Parameters<typeof loadRelations>) =>
    loadRelationsSync(...given),
} as const

for (const [way, load] of Object.entries(ways)) {
  describe(way, () => {
    test('belongs-to sets one row on each row, found by the exact 64-bit key', async (t) => {
      const surface = await library(t)
      const rows = posts()
      await load(surface, Posts, rows, ['author'])
      assert.deepEqual(
        rows.map(({ author }) => author),
        [ada, bob, ada],
      )
      assert.equal(rows[0]?.['author'], rows[2]?.['author'])
    })

    test('a nullable belongs-to is null for a NULL key and for a missing row', async (t) => {
      const surface = await library(t)
      const rows = posts()
      await load(surface, Posts, rows, ['editor'])
      assert.deepEqual(
        rows.map(({ editor }) => editor),
        [null, null, bob],
      )
    })

    test('a belongs-to without its row is an error that names entity, relation and key', async (t) => {
      const surface = await library(t)
      const rows = [{ id: 1, authorId: 404n, editorId: null }]
      await assert.rejects(load(surface, Posts, rows, ['author']), {
        name: 'FrameworkError',
        code: 'E_RELATION',
        message: /^posts\.author refers to users 404, which does not exist/,
      })
    })

    test('has-many sets a list on each row, ordered by key and possibly empty', async (t) => {
      const surface = await library(t)
      const rows = users()
      await load(surface, Users, rows, ['posts'])
      const [first, second, third] = posts()
      assert.deepEqual(
        rows.map((row) => row['posts']),
        [[], [second], [first, third]],
      )
    })

    test('has-one sets the row with the lowest key on each row, or null', async (t) => {
      const surface = await library(t)
      const rows = users()
      await load(surface, Users, rows, ['profile'])
      assert.deepEqual(
        rows.map(({ profile }) => profile),
        [null, { id: 'b-early', userId: 2n }, null],
      )
    })

    test('many-to-many uses the join table, ordered by key', async (t) => {
      const surface = await library(t)
      const rows = posts()
      await load(surface, Posts, rows, ['tags'])
      const tea = { id: 1, word: 'tea' }
      assert.deepEqual(
        rows.map(({ tags }) => tags),
        [[tea, { id: 3, word: 'sea' }], [tea], []],
      )
    })

    test('each relation is one query, whatever the number of rows', async (t) => {
      const surface = await library(t)
      const rows = Array.from({ length: 500 }, (_, index) => ({
        id: index,
        authorId: index % 2 === 0 ? 2n : large,
        editorId: null,
      }))
      await load(surface, Posts, rows, ['author', 'tags'])
      assert.equal(surface.flushes.length, 2)
    })

    test('nothing is sent without rows, without keys or without relations', async (t) => {
      const surface = await library(t)
      await load(surface, Posts, [], ['author', 'tags'])
      await load(surface, Posts, [{ id: 1, editorId: null }], ['editor'])
      await load(surface, Posts, posts(), [])
      assert.deepEqual(surface.flushes, [])
    })

    test('too many keys for one statement are split, and none is lost', async (t) => {
      const surface = await library(t)
      const rows: PlainRow[] = Array.from({ length: 40_000 }, (_, index) => ({ id: index }))
      await load(surface, Posts, rows, ['tags'])
      assert.equal(surface.flushes.length, 3)
      assert.equal(rows.filter(({ tags }) => Array.isArray(tags) && tags.length > 0).length, 2)
    })
  })
}

test('relations are loaded concurrently on a pool, one after the other on a serial surface', async (t) => {
  const pool = await library(t, { kind: 'async' })
  const together = loadRelations(pool, Posts, posts(), ['author', 'editor', 'tags'])
  assert.equal(pool.flushes.length, 3)
  await together

  const serial = await library(t, { kind: 'async', serial: true })
  const oneByOne = loadRelations(serial, Posts, posts(), ['author', 'editor', 'tags'])
  assert.equal(serial.flushes.length, 1)
  await oneByOne
  assert.equal(serial.flushes.length, 3)
})

test('the same statement serves lists of similar length', async (t) => {
  const surface = await library(t)
  for (const count of [5, 6, 8]) {
    loadRelationsSync(
      surface,
      Posts,
      Array.from({ length: count }, (_, id) => ({ id })),
      ['tags'],
    )
  }
  const statements = surface.flushes.map(([sql]) => sql)
  assert.equal(new Set(statements).size, 1)
})

describe('a relation that is defined incorrectly is rejected before any query', () => {
  test('when the target has no such column', async (t) => {
    const surface = await library(t)
    const Lists = entity('lists', { id: key.integer(), tags: hasMany(() => Tags, 'listId') })
    assert.throws(() => loadRelationsSync(surface, Lists, [{ id: 1 }], ['tags']), {
      code: 'E_COLUMN',
      message: 'tags has no column "listId"; it has id, word',
    })
    assert.deepEqual(surface.flushes, [])
  })

  test('when the key and the column that holds it are of different kinds', async (t) => {
    const surface = await library(t)
    const Notes = entity('notes', {
      id: key.integer(),
      tagId: bigint(),
      tag: belongsTo(() => Tags),
      size: integer(),
    })
    assert.throws(() => loadRelationsSync(surface, Notes, [{ id: 1, tagId: 1n }], ['tag']), {
      name: 'InvalidArgumentException',
      code: 'E_RELATION',
      message:
        'notes.tag: notes.tagId is bigint and tags.id is safe-integer; declare both with the same kind',
    })
    assert.deepEqual(surface.flushes, [])
  })
})

test('without keys there are no lists', () => {
  assert.deepEqual(keyLists([], dialects.sqlite), [])
})

test('a list is padded to a power of two with its last key', () => {
  assert.deepEqual(keyLists([7], dialects.postgres), [[7]])
  assert.deepEqual(keyLists([7n, 8n, 9n], dialects.mariadb), [[7n, 8n, 9n, 9n]])
  assert.deepEqual(keyLists(['a', 'b', 'c', 'd'], dialects.sqlite), [['a', 'b', 'c', 'd']])
})

test('lists stay below what a statement can bind, and every key is in one', () => {
  const limits = { sqlite: 32_766, postgres: 65_535, mariadb: 65_535 } as const
  const keys = Array.from({ length: 70_000 }, (_, index) => index)
  for (const dialect of ['sqlite', 'postgres', 'mariadb'] as const) {
    const lists = keyLists(new Set(keys), dialects[dialect])
    assert.ok(lists.every(({ length }) => length <= limits[dialect]))
    assert.deepEqual([...new Set(lists.flat())], keys)
  }
})

test('a list that is full ends where it is full', () => {
  const lists = keyLists(Array(32_768).keys(), dialects.sqlite)
  assert.deepEqual(
    lists.map(({ length }) => length),
    [16_384, 16_384],
  )
})
