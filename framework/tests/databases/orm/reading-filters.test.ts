import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { count } from '../../../src/orm/aggregate.ts'
import { Pagination } from '../../../src/orm/pagination/pagination.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Selection } from '../../../src/orm/selection.ts'
import { Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { openBlog, Profiles } from './blog.ts'
import type { Blog } from './blog.ts'

onEveryDatabase((name, _open, create) => {
  let blog: Blog
  before(async () => {
    blog = await openBlog(create)
  })
  after(() => blog.database.close())

  const posts = () => blog.posts.select().order(Orders.Asc, 'id')
  const users = () => blog.users.select().order(Orders.Asc, 'id')
  const ids = (rows: readonly { readonly id: unknown }[]) => rows.map(({ id }) => id)

  test('rows are selected by whether they have related rows, of every kind', async () => {
    assert.deepEqual(ids(await blog.posts.all(posts().has('comments'))), [1, 2, 4])
    assert.deepEqual(ids(await blog.posts.all(posts().hasNone('comments'))), [3])
    assert.deepEqual(ids(await blog.posts.all(posts().has('tags'))), [1, 2, 4])
    assert.deepEqual(ids(await blog.posts.all(posts().hasNone('tags'))), [3])
    assert.deepEqual(ids(await blog.posts.all(posts().has('editor'))), [2, 3])
    assert.deepEqual(ids(await blog.posts.all(posts().hasNone('editor'))), [1, 4])
    assert.deepEqual(ids(await blog.users.all(users().has('profile'))), [2])
    assert.deepEqual(ids(await blog.users.all(users().hasNone('profile'))), [1, 3])
  })

  test('the related rows may be narrowed, also by custom SQL and by rows related to them', async () => {
    const liked = posts().has('comments', (c) => c.filter('likes', Operators.Greater, 8))
    assert.deepEqual(ids(await blog.posts.all(liked)), [1])
    const tagged = posts().has('tags', (tags) => tags.where(sql`word = ${'sea'}`))
    assert.deepEqual(ids(await blog.posts.all(tagged)), [4])
    const byCy = posts().has('comments', (c) =>
      c.has('author', (author) => author.filter('name', Operators.Equal, 'Cy')),
    )
    assert.deepEqual(ids(await blog.posts.all(byCy)), [1, 4])
    const untouched = posts().hasNone('comments', (c) =>
      c.has('author', (author) => author.has('profile')),
    )
    assert.deepEqual(ids(await blog.posts.all(untouched)), [3, 4])
    const either = posts().either(
      (branch) => branch.has('editor'),
      (branch) => branch.has('tags', (tags) => tags.filter('word', Operators.Equal, 'sea')),
    )
    assert.deepEqual(ids(await blog.posts.all(either)), [2, 3, 4])
  })

  test('an entity may be related to itself, and come back to itself', async () => {
    const below = users().has('boss', (boss) => boss.has('boss'))
    assert.deepEqual(ids(await blog.users.all(below)), [3])
    const readers = users().has('posts', (own) =>
      own.has('comments', (c) => c.has('author', (author) => author.has('posts'))),
    )
    assert.deepEqual(ids(await blog.users.all(readers)), [1])
    const siblings = posts().has('tags', (tags) =>
      tags.has('posts', (other) => other.filter('id', Operators.Equal, 4)),
    )
    assert.deepEqual(ids(await blog.posts.all(siblings)), [1, 2, 4])
  })

  test('counts, exists, pages and relations follow the filter', async () => {
    assert.equal(await blog.posts.count(blog.posts.select().has('comments')), 3)
    assert.equal(await blog.posts.exists(blog.posts.select().hasNone('author')), false)
    const page = await blog.posts.page(posts().has('comments'), new Pagination({ limit: 2 }))
    assert.equal(page.pagination.total, 3)
    const [ada] = await blog.users.all(users().with({ posts: (own) => own.has('editor') }))
    assert.deepEqual(ids(ada?.posts ?? []), [2])
    const [first] = await blog.posts.all(
      posts().withCount({
        tags: (tags) => tags.has('posts', (p) => p.filter('id', Operators.In, [4])),
      }),
    )
    assert.equal(first?.tagsCount, 2)
  })

  test('a signed cursor belongs to its filter over relations', async () => {
    const signed = createSecretKey(randomBytes(32))
    const selection = (likes: number) =>
      posts().has('comments', (c) => c.filter('likes', Operators.GreaterOrEqual, likes))
    const start = new Pagination({ mode: 'cursor', limit: 1, signed })
    const { pagination } = await blog.posts.page(selection(0), start)
    const cursor = pagination.next ?? ''
    const next = await blog.posts.page(selection(0), new Pagination({ cursor, limit: 1, signed }))
    assert.deepEqual(ids(next.items), [2])
    for (const other of [selection(1), posts().hasNone('comments'), posts()]) {
      await assert.rejects(blog.posts.page(other, new Pagination({ cursor, signed })), {
        code: 'E_CURSOR',
      })
    }
  })

  test('rows are updated and deleted by it, also where the relation is the same table', async () => {
    const undo = new Error('undo')
    await blog.database
      .transaction(async (transaction) => {
        const inside = blog.users.using(transaction)
        const led = inside
          .select()
          .has('boss', (boss) => boss.filter('name', Operators.Equal, 'Ada'))
        assert.equal(await inside.updateAll(led, { name: 'Bo' }), 1)
        assert.equal((await inside.find(2))?.name, 'Bo')
        assert.equal(await inside.deleteAll(inside.select().hasNone('boss')), 1)
        const own = blog.posts.using(transaction)
        assert.equal(await own.deleteAll(own.select().hasNone('tags')), 1)
        assert.equal(await own.updateAll(own.select().has('comments'), { views: 0 }), 3)
        throw undo
      })
      .catch((error: unknown) => assert.equal(error, undo))
    assert.equal(await blog.users.count(), 3)
  })

  test('only some columns are read, and relations find their rows without showing the key', async () => {
    assert.deepEqual(await blog.posts.all(posts().only('title').limit(2)), [
      { title: 'One' },
      { title: 'Two' },
    ])
    const rows = await blog.posts.all(
      posts()
        .only('title')
        .with({
          author: (author) => author.only('name'),
          tags: (tags) => tags.only('word').limit(1),
        })
        .with({
          comments: (c) => c.only('body').order(Orders.Desc, 'likes').limit(1).with('author'),
        })
        .withCount('comments')
        .limit(2),
    )
    assert.deepEqual(rows, [
      {
        title: 'One',
        author: { name: 'Ada' },
        tags: [{ word: 'ink' }],
        comments: [{ body: 'd', author: { id: 3, name: 'Cy', bossId: 2 } }],
        commentsCount: 4,
      },
      {
        title: 'Two',
        author: { name: 'Ada' },
        tags: [{ word: 'tea' }],
        comments: [{ body: 'f', author: { id: 2, name: 'Ben', bossId: 1 } }],
        commentsCount: 2,
      },
    ])
    assert.deepEqual(await blog.posts.find(3, blog.posts.select().only('views', 'isOpen')), {
      isOpen: false,
      views: 30,
    })
    assert.equal(await blog.posts.find(3, posts().has('comments')), null)
    const profiles = new Repository(Profiles, blog.database)
    const profile = await profiles.first(profiles.select().only('city').with('user'))
    assert.deepEqual(profile, { city: 'Oslo', user: { id: 2, name: 'Ben', bossId: 1 } })
  })

  test('pages by number, by cursor and backward show only these columns', async () => {
    const selection = blog.posts.select().only('title').order(Orders.Desc, 'views').with('tags')
    const titles = (rows: readonly object[]) => rows.map((row) => Object.keys(row).join())
    const page = await blog.posts.page(selection, new Pagination({ limit: 3, deferred: 1 }))
    assert.deepEqual(titles(page.items), ['title,tags', 'title,tags', 'title,tags'])
    const start = new Pagination({ mode: 'cursor', limit: 3 })
    const first = await blog.posts.page(selection, start)
    const cursor = first.pagination.next ?? ''
    const after = await blog.posts.page(selection, new Pagination({ cursor, backward: true }))
    assert.deepEqual(
      after.items.map(({ title, tags }) => [title, tags.length]),
      [['One', 2]],
    )
    const before = after.pagination.previous ?? ''
    const back = await blog.posts.page(selection, new Pagination({ before, limit: 2 }))
    assert.deepEqual(
      back.items.map(({ title }) => title),
      ['Three', 'Two'],
    )
    const walked = []
    for await (const row of blog.posts.walk(selection, { size: 1 })) walked.push(row.title)
    assert.deepEqual(walked, ['Four', 'Three', 'Two', 'One'])
  })

  test('equal rows are read once, in lists, pages, walks and counts', async () => {
    const authors = blog.posts.select().only('authorId').distinct()
    assert.deepEqual(await blog.posts.all(authors.clone().order(Orders.Desc, 'authorId')), [
      { authorId: 2 },
      { authorId: 1 },
    ])
    assert.equal(await blog.posts.count(authors), 2)
    assert.deepEqual(await blog.posts.first(authors), { authorId: 1 })
    assert.equal(await blog.posts.exists(authors), true)
    const page = await blog.posts.page(authors, new Pagination({ limit: 1, page: 2 }))
    assert.deepEqual([page.items, page.pagination.total], [[{ authorId: 2 }], 2])
    const start = new Pagination({ mode: 'cursor', limit: 1 })
    const walk = await blog.posts.page(authors, start)
    assert.deepEqual([walk.items, walk.pagination.more], [[{ authorId: 1 }], true])
    const cursor = walk.pagination.next ?? ''
    const last = await blog.posts.page(authors, new Pagination({ cursor, limit: 1 }))
    assert.deepEqual([last.items, last.pagination.more], [[{ authorId: 2 }], false])
    const notes = blog.posts.select().only('note').distinct()
    assert.equal(
      (await blog.posts.page(notes, new Pagination({ count: 'capped' }))).items.length,
      2,
    )
    await assert.rejects(blog.posts.page(notes, new Pagination({ mode: 'cursor' })), {
      code: 'E_CURSOR_ORDER',
    })
  })

  test('locked rows are skipped, or fail at once with E_DATABASE_BUSY', async () => {
    if (name === 'sqlite') {
      // One transaction writes at a time, so that nobody else can have locked a row.
      await blog.database.transaction(async (transaction) => {
        const inside = blog.posts.using(transaction)
        const rows = await inside.all(inside.select().lock('update', { skipLocked: true }))
        assert.equal(rows.length, 4)
        await inside.all(inside.select().lock('share', { noWait: true }))
      })
      return
    }
    await blog.database.transaction(async (holder) => {
      const held = blog.posts.using(holder)
      await held.find(2, held.select().lock())
      await blog.database.transaction(
        async (other) => {
          const inside = blog.posts.using(other)
          const free = inside.select().order(Orders.Asc, 'id').lock('update', { skipLocked: true })
          assert.deepEqual(ids(await inside.all(free)), [1, 3, 4])
          const shared = inside.select().order(Orders.Asc, 'id').lock('share', { skipLocked: true })
          assert.deepEqual(ids(await inside.all(shared)), [1, 3, 4])
        },
        { isolation: 'read-committed' },
      )
      const atOnce = blog.database.transaction((other) =>
        blog.posts.using(other).find(2, blog.posts.select().lock('update', { noWait: true })),
      )
      await assert.rejects(atOnce, { code: 'E_DATABASE_BUSY', retryable: true })
    })
  })

  test('a lock outside a transaction is refused before anything is sent, as it would hold nothing', async () => {
    const locked = () => posts().lock()
    const refusal = {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: /lock\(\) of posts needs a transaction.*posts\.using\(transaction\)/,
    }
    const statements = await blog.sent.during(async () => {
      await assert.rejects(blog.posts.all(locked()), refusal)
      await assert.rejects(blog.posts.first(locked()), refusal)
      await assert.rejects(blog.posts.find(1, locked()), refusal)
      await assert.rejects(async () => blog.posts.page(locked()), refusal)
      assert.throws(() => blog.posts.paginate(locked()), refusal)
      assert.throws(() => blog.posts.walk(locked()), refusal)
    })
    assert.deepEqual(statements, [])
    assert.equal(await blog.posts.count(locked()), 4)
  })

  test('a list of any length is looked up', async () => {
    const many = Array.from({ length: 70_000 }, (_, at) => at + 3)
    assert.deepEqual(ids(await blog.posts.all(posts().filter('id', Operators.In, many))), [3, 4])
    const sizes = many.map(BigInt).concat(2n ** 53n + 1n)
    assert.deepEqual(ids(await blog.posts.all(posts().filter('size', Operators.In, sizes))), [1, 2])
    const both = posts()
      .filter('id', Operators.In, many.slice(0, 33_000))
      .filter('views', Operators.In, many.slice(0, 33_000))
    assert.deepEqual(ids(await blog.posts.all(both.limit(1))), [3])
    assert.equal(await blog.posts.count(both), 2)
    const words = many.slice(0, 33_000).map((word) => `"${word}\\'`)
    const titled = blog.posts.select().filter('title', Operators.In, [...words, 'Two'])
    assert.deepEqual(ids(await blog.posts.all(titled)), [2])
    assert.equal(await blog.posts.updateAll(titled, { note: 'x' }), 1)
  })

  test('more values than a statement takes are refused with their limit', async () => {
    const ratings = Array.from({ length: 70_000 }, (_, at) => at / 8)
    const rated = posts().filter('rating', Operators.In, ratings)
    await assert.rejects(blog.posts.all(rated), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: /a statement has 70000 values, \w+ allows (32766|65535); split it/,
    })
  })

  test('a selection of a repository is read by itself, with signs for operators', async () => {
    const viewed = blog.posts.filter('views', '>', 10).order(Orders.Asc, 'id')
    assert.deepEqual(ids(await viewed.all()), [2, 3, 4])
    assert.deepEqual(ids(await viewed.clone().filter('views', '<=', 30).all()), [2, 3])
    assert.deepEqual(ids(await viewed.clone().filter('views', '<', 30).with('author').all()), [2])
    assert.equal((await blog.posts.filter('views', '>=', 40).first())?.title, 'Four')
    assert.equal((await blog.posts.filter('title', '=', 'Two').first())?.id, 2)
    assert.equal(await blog.posts.count(blog.posts.filter('title', '!=', 'Two')), 3)
    assert.equal(await blog.posts.where(sql`views > ${40}`).exists(), false)
    const page = await viewed.page(new Pagination({ limit: 2 }))
    assert.deepEqual([ids(page.items), page.pagination.total], [[2, 3], 3])
    const grouped = blog.comments.select().groupBy('postId').having(count(), '>', 2)
    assert.equal((await blog.comments.aggregate(grouped, { all: count() })).length, 1)
    await blog.database.transaction(async (transaction) => {
      const inside = blog.posts.using(transaction)
      await inside.update(2, { views: 21 })
      assert.equal((await inside.filter('views', '=', 21).lock().first())?.id, 2)
      await inside.update(2, { views: 20 })
    })
    const alone = new Selection(blog.posts.entity)
    const refused = (call: string) => ({
      code: 'E_INVALID_ARGUMENT',
      message: new RegExp(`pass this one to repository\\.${call}\\(selection\\)`),
    })
    await assert.rejects(alone.all(), refused('all'))
    await assert.rejects(alone.first(), refused('first'))
    await assert.rejects(alone.exists(), refused('exists'))
    await assert.rejects(alone.page(), refused('page'))
    const loose: { filter(...given: unknown[]): unknown } = blog.posts
    for (const sign of ['~', '==', 'constructor', '']) {
      assert.throws(() => loose.filter('views', sign, 1), { code: 'E_INVALID_ARGUMENT' })
    }
  })

  test('NULL is found by Equal and Unequal too', async () => {
    const none = posts().filter('note', Operators.Equal, null)
    const some = posts().filter('note', Operators.Unequal, null)
    assert.equal(await blog.posts.count(none), 2)
    assert.equal(await blog.posts.count(some), 2)
  })

  test('a write without a selection is an error, not a write to every row', async () => {
    const loose: Loose = blog.posts
    const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
    const statements = await blog.sent.during(async () => {
      for (const given of [undefined, null, {}, 'all', []]) {
        await assert.rejects(async () => loose.updateAll(given, { views: 1 }), refusal)
        await assert.rejects(async () => loose.deleteAll(given), refusal)
      }
      const unknown = { by: ['id'], set: ['views'] }
      await assert.rejects(async () => loose.upsert({}, unknown), refusal)
      await assert.rejects(async () => loose.upsert({}), refusal)
      assert.throws(() => loose.walk(null, { sice: 3 }), refusal)
      for (const given of [{}, 'all', 7]) {
        for (const call of ['first', 'all', 'count', 'exists', 'page'] as const) {
          await assert.rejects(async () => loose[call](given), refusal)
        }
      }
      await assert.rejects(async () => loose.page(null, null, 'scope'), refusal)
    })
    assert.deepEqual(statements, [])
    assert.equal(await blog.posts.count(), 4)
  })
})

interface Loose {
  updateAll(...given: unknown[]): Promise<unknown>
  deleteAll(...given: unknown[]): Promise<unknown>
  upsert(...given: unknown[]): Promise<unknown>
  walk(...given: unknown[]): unknown
  first(...given: unknown[]): Promise<unknown>
  all(...given: unknown[]): Promise<unknown>
  count(...given: unknown[]): Promise<unknown>
  exists(...given: unknown[]): Promise<unknown>
  page(...given: unknown[]): Promise<unknown>
}
