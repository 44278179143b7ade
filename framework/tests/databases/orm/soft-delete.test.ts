import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { epochMs } from '../../../src/base/time/epoch-seconds.ts'
import type { Database } from '../../../src/database/surface.ts'
import { integer, key, text, timestamp, version } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Modes, Pagination } from '../../../src/orm/pagination/pagination.ts'
import { belongsTo, hasMany, manyToMany } from '../../../src/orm/relations/relation.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Authors = entity(
  'authors',
  {
    id: key.integer(),
    name: text(),
    deletedAt: timestamp().nullable(),
    get posts() {
      return hasMany(() => Posts, 'authorId')
    },
  },
  { softDelete: 'deletedAt' },
)
const Tags = entity(
  'tags',
  { id: key.integer(), word: text(), removedAt: timestamp('deleted_at').nullable() },
  { softDelete: 'removedAt' },
)
const Posts = entity(
  'posts',
  {
    id: key.integer(),
    title: text(),
    views: integer().optional(),
    version: version(),
    deletedAt: timestamp().nullable(),
    author: belongsTo(() => Authors),
    tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
  },
  { softDelete: 'deletedAt' },
)
const Plain = entity('authors', { id: key.integer(), name: text() })

onEveryDatabase((_, open) => {
  let database: Database
  let authors: Repository<typeof Authors>
  let posts: Repository<typeof Posts>
  let tags: Repository<typeof Tags>
  let ada: number
  let ids: { kept: number; gone: number }
  before(async () => {
    database = await open()
    await createTables(database, async (schema) => {
      await schema.createTable('authors', (table) => {
        table.key('id')
        table.text('name')
        table.timestamp('deleted_at').nullable()
      })
      await schema.createTable('tags', (table) => {
        table.key('id')
        table.text('word')
        table.timestamp('deleted_at').nullable()
      })
      await schema.createTable('posts', (table) => {
        table.key('id')
        table.text('title', { length: 80 }).unique()
        table.integer('views').default(0)
        table.integer('version')
        table.timestamp('deleted_at').nullable()
        table.references('author_id', 'authors')
      })
      await schema.createTable('post_tags', (table) => {
        table.references('post_id', 'posts', { onDelete: 'cascade' })
        table.references('tag_id', 'tags', { onDelete: 'cascade' })
        table.primary(['post_id', 'tag_id'])
      })
    })
    authors = new Repository(Authors, database)
    posts = new Repository(Posts, database)
    tags = new Repository(Tags, database)
  })
  beforeEach(async () => {
    await posts.deleteAllForever(posts.select().withDeleted())
    await authors.deleteAllForever(authors.select().withDeleted())
    await tags.deleteAllForever(tags.select().withDeleted())
    ada = (await authors.insert({ name: 'Ada' })).id
    const [kept, gone] = await posts.insertMany([
      { title: 'kept', authorId: ada },
      { title: 'gone', authorId: ada },
    ])
    ids = { kept: kept?.id ?? 0, gone: gone?.id ?? 0 }
    assert.equal(await posts.delete(ids.gone), true)
  })

  const titles = (rows: readonly { readonly title: string }[]): string[] =>
    rows.map(({ title }) => title)

  test('a deleted row stays in the table, with the time of its deletion', async () => {
    const [row] = await posts.all(posts.select().onlyDeleted())
    assert.equal(row?.title, 'gone')
    const age = epochMs() - (row?.deletedAt?.getTime() ?? 0)
    assert.ok(age >= 0 && age < 60_000)
    assert.equal(row?.version, 2)
    assert.equal(await posts.delete(ids.gone), false)
  })

  test('every way to read hides it', async () => {
    assert.equal(await posts.find(ids.gone), null)
    assert.deepEqual(titles(await posts.all()), ['kept'])
    assert.equal((await posts.first(posts.select().order(Orders.Desc, 'id')))?.title, 'kept')
    assert.equal(await posts.count(), 1)
    const gone = posts.select().filter('title', Operators.Equal, 'gone')
    assert.equal(await posts.exists(gone), false)
    assert.equal(await posts.exists(gone.clone().withDeleted()), true)
    const page = await posts.page(posts.select(), new Pagination({ page: 1 }))
    assert.deepEqual([titles(page.items), page.pagination.total], [['kept'], 1])
    const cursor = await posts.page(posts.select(), new Pagination({ mode: Modes.Cursor }))
    assert.deepEqual(titles(cursor.items), ['kept'])
    const walked: string[] = []
    for await (const { title } of posts.walk()) walked.push(title)
    assert.deepEqual(walked, ['kept'])
  })

  test('a selection can show deleted rows, or only those', async () => {
    const all = posts.select().order(Orders.Asc, 'id')
    assert.deepEqual(titles(await posts.all(all.clone().withDeleted())), ['kept', 'gone'])
    assert.deepEqual(titles(await posts.all(all.clone().onlyDeleted())), ['gone'])
    assert.equal(await posts.count(posts.select().onlyDeleted()), 1)
    const either = posts.select().either(
      (one) => one.filter('title', Operators.Equal, 'gone'),
      (other) => other.filter('views', Operators.Equal, 5),
    )
    assert.equal(await posts.count(either), 0)
    assert.equal(await posts.count(either.clone().withDeleted()), 1)
  })

  test('relations and their counts hide deleted rows', async () => {
    const [row] = await authors.all(authors.select().with('posts').withCount('posts'))
    assert.deepEqual([titles(row?.posts ?? []), row?.postsCount], [['kept'], 1])
    const [narrowed] = await authors.all(
      authors.select().with({ posts: (related) => related.withDeleted().order(Orders.Asc, 'id') }),
    )
    assert.deepEqual(titles(narrowed?.posts ?? []), ['kept', 'gone'])
    const [news, old] = await tags.insertMany([{ word: 'news' }, { word: 'old' }])
    assert.ok(news && old)
    await posts.attach(ids.kept, 'tags', [news.id, old.id])
    await tags.delete(old.id)
    const [tagged] = await posts.all(posts.select().with('tags'))
    assert.deepEqual(
      tagged?.tags.map(({ word }) => word),
      ['news'],
    )
    await assert.rejects(posts.attach(ids.gone, 'tags', [news.id]), { code: 'E_RELATION' })
    await posts.detach(ids.kept, 'tags', [old.id])
    await assert.rejects(posts.attach(ids.kept, 'tags', [old.id]), { code: 'E_RELATION' })
  })

  test('a filter by relations does not see deleted rows', async () => {
    assert.equal(await authors.count(authors.select().has('posts')), 1)
    await posts.delete(ids.kept)
    assert.equal(await authors.count(authors.select().has('posts')), 0)
    assert.equal(await authors.count(authors.select().hasNone('posts')), 1)
    const any = authors.select().has('posts', (related) => related.withDeleted())
    assert.equal(await authors.count(any), 1)
    const gone = authors.select().has('posts', (related) => {
      return related.onlyDeleted().filter('title', Operators.Equal, 'gone')
    })
    assert.equal(await authors.count(gone), 1)
    await authors.delete(ada)
    const orphans = posts.select().withDeleted().has('author')
    assert.equal(await posts.count(orphans), 0)
  })

  test('a row whose one relation is deleted says so, and can show it', async () => {
    await authors.delete(ada)
    await assert.rejects(posts.all(posts.select().with('author')), {
      code: 'E_RELATION',
      message: /is deleted; .* with\(\{ author: \(row\) => row\.withDeleted\(\) \}\)/,
    })
    const [row] = await posts.all(
      posts.select().with({ author: (related) => related.withDeleted() }),
    )
    assert.equal(row?.author.name, 'Ada')
  })

  test('no way to write reaches a deleted row, except on request', async () => {
    assert.equal(await posts.update(ids.gone, { views: 1 }), null)
    assert.equal(await posts.update(ids.gone, { views: 1, version: 7 }), null)
    assert.equal(await posts.increment(ids.gone, { views: 1 }), null)
    assert.equal(await posts.updateAll(posts.select(), { views: 2 }), 1)
    assert.equal(await posts.incrementAll(posts.select(), { views: 1 }), 1)
    assert.equal(await posts.deleteAll(posts.select()), 1)
    assert.equal(await posts.deleteAll(posts.select().withDeleted()), 0)
    const all = await posts.all(posts.select().withDeleted().order(Orders.Asc, 'id'))
    assert.deepEqual(
      all.map(({ views }) => views),
      [3, 0],
    )
    assert.equal(await posts.updateAll(posts.select().onlyDeleted(), { views: 9 }), 2)
  })

  test('a deleted row can be restored, once', async () => {
    const calls = Array.from({ length: 4 }, () => posts.restore(ids.gone))
    assert.deepEqual((await Promise.all(calls)).filter(Boolean), [true])
    assert.equal((await posts.find(ids.gone))?.deletedAt, null)
    assert.equal(await posts.restore(ids.kept), false)
  })

  test('a row can be deleted for good, deleted or not', async () => {
    assert.equal(await posts.deleteForever(ids.gone), true)
    assert.equal(await posts.deleteForever(ids.gone), false)
    assert.equal(await posts.deleteForever(ids.kept), true)
    assert.equal(await posts.count(posts.select().withDeleted()), 0)
  })

  test('of concurrent deletes one deletes the row', async () => {
    const calls = Array.from({ length: 6 }, () => posts.delete(ids.kept))
    assert.deepEqual((await Promise.all(calls)).filter(Boolean), [true])
  })

  test('an upsert finds a deleted row by its unique key, and leaves it deleted', async () => {
    const row = await posts.upsert({ title: 'gone', authorId: ada, views: 5 }, { by: ['title'] })
    assert.deepEqual([row.id, row.views, row.deletedAt === null], [ids.gone, 5, false])
    const values = { title: 'gone', authorId: ada, deletedAt: null }
    const back = await posts.upsert(values, { by: ['title'] })
    assert.equal(back.deletedAt, null)
  })

  test('an entity without soft delete refuses what needs one', async () => {
    const plain = new Repository(Plain, database)
    const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
    // @ts-expect-error no soft delete
    assert.throws(() => plain.select().withDeleted(), refusal)
    // @ts-expect-error no soft delete
    assert.throws(() => plain.select().onlyDeleted(), refusal)
    // @ts-expect-error no soft delete
    await assert.rejects(plain.restore(1), refusal)
    assert.equal(await plain.deleteForever(0), false)
  })
})
