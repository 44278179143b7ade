import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { average, count, maximum, minimum, sum } from '../../../src/orm/aggregate.ts'
import {
  bigint,
  decimal,
  key,
  safeInteger,
  text,
  timestamp,
} from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { belongsTo } from '../../../src/orm/relations/relation.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Nulls, Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { openBlog } from './blog.ts'
import type { Blog } from './blog.ts'

const Amounts = entity('amounts', {
  id: key.integer(),
  wide: bigint(),
  safe: safeInteger(),
  price: decimal({ precision: 15, scale: 2 }),
})

const Rooms = entity(
  'rooms',
  { id: key.integer(), name: text(), goneAt: timestamp().nullable() },
  { softDelete: 'goneAt' },
)
const Visits = entity('visits', { id: key.integer(), room: belongsTo(() => Rooms) })

onEveryDatabase((_, _open, create) => {
  let blog: Blog
  let amounts: Repository<typeof Amounts>
  before(async () => {
    blog = await openBlog(create)
    await blog.database.run({
      sql: 'CREATE TABLE amounts (id INTEGER PRIMARY KEY, wide BIGINT NOT NULL, safe BIGINT NOT NULL, price DECIMAL(15,2) NOT NULL)',
      parameters: [],
    })
    amounts = new Repository(Amounts, blog.database)
    const largest = 2n ** 63n - 1n
    const price = '9999999999999.99'
    await amounts.insertMany([
      { id: 1, wide: largest, safe: Number.MAX_SAFE_INTEGER, price },
      { id: 2, wide: largest, safe: 1, price },
      { id: 3, wide: -5n, safe: -2, price: '-0.01' },
    ])
  })
  after(() => blog.database.close())

  const posts = () => blog.posts.select()
  const none = () => posts().filter('id', Operators.Less, 0)

  test('a sum has the type of its column, and not a digit is lost', async () => {
    assert.equal(await blog.posts.sum('views'), 100)
    assert.equal(await blog.posts.sum('price'), '12345678.93')
    assert.equal(await blog.posts.sum('size'), 18_014_398_509_481_989n)
    assert.equal(await blog.posts.sum('rating'), 4)
    assert.equal(await blog.posts.sum('price', posts().filter('id', Operators.In, [1, 2])), '0.30')
    assert.equal(await blog.posts.sum('views', posts().has('editor')), 50)
    assert.equal(await amounts.sum('wide'), 2n ** 64n - 7n)
    assert.equal(await amounts.sum('price'), '19999999999999.97')
  })

  test('a sum that a number cannot represent is an error', async () => {
    const some = amounts.select().filter('id', Operators.In, [1, 2])
    await assert.rejects(amounts.sum('safe', some), {
      name: 'FrameworkError',
      code: 'E_INTEGER_RANGE',
    })
    assert.equal(await amounts.sum('safe'), Number.MAX_SAFE_INTEGER - 1)
  })

  test('an average is the exact sum divided by the count', async () => {
    assert.equal(await blog.posts.average('views'), 25)
    assert.equal(await blog.posts.average('size'), 4_503_599_627_370_497)
    assert.equal(await blog.posts.average('rating'), 4 / 3)
    assert.equal(await blog.posts.average('price'), '3086419.732500')
    const third = posts().filter('id', Operators.In, [1, 2, 4])
    assert.equal(await blog.posts.average('price', third), '0.200000')
    assert.equal(await blog.comments.average('likes'), 29 / 7)
    assert.equal(await amounts.average('wide'), Number((2n ** 64n - 7n) / 3n))
  })

  test('an average of integers is the nearest number there is, on every database', async () => {
    await amounts.insertMany(
      [1, 2, 2].map((safe, at) => ({ id: 11 + at, wide: BigInt(-safe), safe, price: `${safe}` })),
    )
    const some = amounts.select().filter('id', Operators.Between, [11, 13])
    assert.equal(await amounts.average('safe', some), 5 / 3)
    assert.equal(await amounts.average('wide', some), -5 / 3)
    assert.equal(await amounts.average('price', some), '1.666667')
    const [group] = await amounts.aggregate(some, { safe: average('safe') })
    assert.equal(group?.safe, 5 / 3)
    const same = some.clone().groupBy('safe').having(average('safe'), Operators.Equal, 2)
    assert.equal((await amounts.aggregate(same, { all: count() }))[0]?.all, 2)
    await amounts.deleteAll(some)
  })

  test('a sum of more than 64 bits is compared to the last digit, with any value', async () => {
    const total = 2n ** 64n - 2n
    const two = () => amounts.select().filter('id', Operators.LessOrEqual, 2).groupBy('price')
    const holds = async (operator: 'greater' | 'less' | 'equal' | 'unequal', value: bigint) =>
      (await amounts.aggregate(two().having(sum('wide'), operator, value), { all: count() }))
        .length === 1
    assert.deepEqual(
      [await holds('greater', 2n ** 64n), await holds('less', 2n ** 64n)],
      [false, true],
    )
    assert.deepEqual(
      [await holds('greater', total - 1n), await holds('greater', total)],
      [true, false],
    )
    assert.deepEqual([await holds('less', total + 1n), await holds('less', total)], [true, false])
    assert.deepEqual([await holds('equal', total), await holds('unequal', total)], [true, false])
    assert.deepEqual([await holds('equal', total + 1n), await holds('equal', 5n)], [false, false])
    for (const far of [2n ** 300n, -(2n ** 300n)]) {
      assert.deepEqual([await holds('greater', far), await holds('equal', far)], [far < 0n, false])
    }
    const within = two().having(sum('wide'), Operators.Between, [-5n, 2n ** 65n])
    assert.equal((await amounts.aggregate(within, { total: sum('wide') }))[0]?.total, total)
    const listed = two().having(sum('wide'), Operators.In, [total, 1n])
    assert.equal((await amounts.aggregate(listed, { all: count() })).length, 1)
    const priced = two().having(sum('price'), Operators.Greater, '19999999999999.97')
    assert.equal((await amounts.aggregate(priced, { all: count() })).length, 1)
    const negative = amounts
      .select()
      .groupBy('id')
      .having(sum('wide'), Operators.Less, -4n)
      .order(Orders.Asc, sum('wide'))
    assert.deepEqual(await amounts.aggregate(negative, { total: sum('wide') }), [
      { id: 3, total: -5n },
    ])
    const byTotal = amounts.select().groupBy('id').order(Orders.Asc, sum('wide'))
    const ordered = await amounts.aggregate(byTotal, { all: count() })
    assert.deepEqual(
      ordered.map(({ id }) => id),
      [3, 1, 2],
    )
    const unrated = posts().groupBy('id').having(sum('rating'), Operators.Equal, null)
    assert.equal((await blog.posts.aggregate(unrated, { all: count() })).length, 1)
  })

  test('a minimum and a maximum have the type of their column', async () => {
    assert.deepEqual(
      [await blog.posts.minimum('title'), await blog.posts.maximum('title')],
      ['Four', 'Two'],
    )
    assert.deepEqual(
      [await blog.posts.minimum('price'), await blog.posts.maximum('price')],
      ['0.10', '12345678.33'],
    )
    assert.deepEqual(
      [await blog.posts.minimum('size'), await blog.posts.maximum('size')],
      [1n, 9_007_199_254_740_993n],
    )
    assert.deepEqual(
      [await blog.posts.minimum('rating'), await blog.posts.maximum('rating')],
      [0.25, 2.25],
    )
  })

  test('without rows all of them are null, and a count is 0', async () => {
    assert.equal(await blog.posts.sum('price', none()), null)
    assert.equal(await blog.posts.average('views', none()), null)
    assert.equal(await blog.posts.minimum('title', none()), null)
    assert.equal(await blog.posts.maximum('size', none()), null)
    const rows = await blog.posts.aggregate(none(), { all: count(), total: sum('views') })
    assert.deepEqual(rows, [{ all: 0, total: null }])
  })

  test('groups have their columns and what was computed, in the order of their columns', async () => {
    const rows = await blog.posts.aggregate(posts().groupBy('authorId'), {
      posts: count(),
      rated: count('rating'),
      total: sum('price'),
      views: average('views'),
      largest: maximum('size'),
    })
    assert.deepEqual(rows, [
      {
        authorId: 1,
        posts: 2,
        rated: 1,
        total: '0.30',
        views: 15,
        largest: 9_007_199_254_740_993n,
      },
      { authorId: 2, posts: 2, rated: 2, total: '12345678.63', views: 35, largest: 2n },
    ])
  })

  test('groups of several columns come in the order of groupBy, with NULL first', async () => {
    const byNote = posts().groupBy('note', 'isOpen')
    assert.deepEqual(await blog.posts.aggregate(byNote, { posts: count() }), [
      { isOpen: true, note: null, posts: 2 },
      { isOpen: false, note: 'x', posts: 1 },
      { isOpen: true, note: 'x', posts: 1 },
    ])
    const byState = posts().groupBy('isOpen', 'note', 'isOpen')
    assert.deepEqual(await blog.posts.aggregate(byState, { posts: count() }), [
      { isOpen: false, note: 'x', posts: 1 },
      { isOpen: true, note: null, posts: 2 },
      { isOpen: true, note: 'x', posts: 1 },
    ])
  })

  test('groups are selected by what is computed', async () => {
    const grouped = () => blog.comments.select().groupBy('postId')
    const ids = async (selection: ReturnType<typeof grouped>) =>
      (await blog.comments.aggregate(selection, { all: count() })).map(({ postId }) => postId)
    assert.deepEqual(await ids(grouped().having(count(), Operators.Greater, 1)), [1, 2])
    assert.deepEqual(await ids(grouped().having(sum('likes'), Operators.Equal, 3)), [2])
    assert.deepEqual(
      await ids(grouped().having(average('likes'), Operators.Between, [1.5, 6.5])),
      [1, 2],
    )
    assert.deepEqual(await ids(grouped().having(minimum('body'), Operators.In, ['a', 'g'])), [1, 4])
    assert.deepEqual(
      await ids(grouped().having(maximum('likes'), Operators.LessOrEqual, 2)),
      [2, 4],
    )
    assert.deepEqual(await ids(grouped().having(count('authorId'), Operators.Unequal, 3)), [2, 4])
    const liked = grouped()
      .filter('likes', Operators.Greater, 1)
      .having(count(), Operators.Equal, 1)
    assert.deepEqual(await ids(liked), [2])
    const priced = async (having: 'equal' | 'less', total: string) =>
      blog.posts.aggregate(posts().groupBy('authorId').having(sum('price'), having, total), {
        size: sum('size'),
      })
    assert.equal((await priced('equal', '0.30')).length, 1)
    assert.equal((await priced('less', '0.30')).length, 0)
    const wide = posts()
      .groupBy('authorId')
      .having(sum('size'), Operators.Greater, 2n ** 53n)
    assert.equal((await blog.posts.aggregate(wide, { all: count() })).length, 1)
    const rated = posts().groupBy('authorId').having(average('price'), Operators.Greater, '1.5')
    assert.equal((await blog.posts.aggregate(rated, { all: count() })).length, 1)
  })

  test('groups are ordered by their columns and by what is computed, and limited', async () => {
    const grouped = () => blog.comments.select().groupBy('postId')
    const choices = { all: count() } as const
    const ids = (rows: readonly { readonly postId: number }[]) => rows.map(({ postId }) => postId)
    assert.deepEqual(
      ids(await blog.comments.aggregate(grouped().order(Orders.Desc, 'postId'), choices)),
      [4, 2, 1],
    )
    const byLikes = grouped().order(Orders.Asc, sum('likes')).order(Orders.Asc, 'postId')
    assert.deepEqual(ids(await blog.comments.aggregate(byLikes, choices)), [4, 2, 1])
    assert.deepEqual(ids(await blog.comments.aggregate(byLikes.limit(1).offset(1), choices)), [2])
    const byAuthor = blog.posts
      .select()
      .groupBy('id')
      .order(Orders.Desc, average('rating'), Nulls.Last)
      .order(Orders.Asc, minimum('price'))
    const order = await blog.posts.aggregate(byAuthor, choices)
    assert.deepEqual(
      order.map(({ id }) => id),
      [3, 1, 4, 2],
    )
  })

  test('groups by a column of the row that a relation refers to, NULL for none', async () => {
    const byAuthor = posts()
      .groupBy('author.name', 'isOpen')
      .where(sql`title <> ${'Nothing'}`)
    assert.deepEqual(await blog.posts.aggregate(byAuthor, { total: sum('price') }), [
      { 'author.name': 'Ada', isOpen: true, total: '0.30' },
      { 'author.name': 'Ben', isOpen: false, total: '12345678.33' },
      { 'author.name': 'Ben', isOpen: true, total: '0.30' },
    ])
    const byEditor = posts()
      .groupBy('editor.name')
      .having(count(), '>', 0)
      .order(Orders.Desc, 'editor.name', Nulls.Last)
      .limit(2)
    assert.deepEqual(await blog.posts.aggregate(byEditor, { posts: count() }), [
      { 'editor.name': 'Ben', posts: 1 },
      { 'editor.name': 'Ada', posts: 1 },
    ])
    const [none] = await blog.posts.aggregate(byEditor.clone().limit(1).offset(2), {
      posts: count(),
    })
    assert.deepEqual(none, { 'editor.name': null, posts: 2 })
    const sizes = blog.comments.select().groupBy('post.size', 'post.id', 'author.name')
    assert.deepEqual(
      (await blog.comments.aggregate(sizes.order(Orders.Desc, count()), { all: count() }))[0],
      { 'post.size': 2n, 'post.id': 4, 'author.name': 'Cy', all: 1 },
    )
  })

  test('groups by a column of the same table, with the conditions on the grouped rows', async () => {
    const byBoss = blog.users
      .select()
      .filter('name', Operators.Unequal, 'Ben')
      .has('posts', (some) => some.filter('views', '>', 5))
      .groupBy('boss.name')
    assert.deepEqual(await blog.users.aggregate(byBoss, { people: count('name') }), [
      { 'boss.name': null, people: 1 },
    ])
    const all = blog.users.select().groupBy('boss.name').order(Orders.Desc, maximum('name'))
    assert.deepEqual(await blog.users.aggregate(all, { last: maximum('name') }), [
      { 'boss.name': 'Ben', last: 'Cy' },
      { 'boss.name': 'Ada', last: 'Ben' },
      { 'boss.name': null, last: 'Ada' },
    ])
  })

  test('a related row that is deleted is as hidden in groups as elsewhere', async () => {
    await blog.database.run(
      sql`CREATE TABLE rooms (id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL, gone_at TIMESTAMP NULL)`,
    )
    await blog.database.run(
      sql`CREATE TABLE visits (id INTEGER PRIMARY KEY, room_id INTEGER NOT NULL)`,
    )
    const rooms = new Repository(Rooms, blog.database)
    const visits = new Repository(Visits, blog.database)
    await rooms.insertMany([
      { id: 1, name: 'Hall' },
      { id: 2, name: 'Attic' },
    ])
    await visits.insertMany([
      { id: 1, roomId: 1 },
      { id: 2, roomId: 2 },
      { id: 3, roomId: 2 },
    ])
    await rooms.delete(2)
    const rows = await visits.aggregate(visits.select().groupBy('room.name'), { visits: count() })
    assert.deepEqual(rows, [
      { 'room.name': null, visits: 2 },
      { 'room.name': 'Hall', visits: 1 },
    ])
  })

  test('a selection that does not fit is refused before anything is sent', async () => {
    const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
    const choices = { all: count() } as const
    const grouped = () => posts().groupBy('authorId')
    const statements = await blog.sent.during(async () => {
      await assert.rejects(blog.posts.all(grouped()), {
        ...refusal,
        message: /read it with aggregate/,
      })
      await assert.rejects(blog.posts.all(posts().order(Orders.Asc, count())), refusal)
      await assert.rejects(blog.posts.aggregate(posts().limit(1), choices), refusal)
      await assert.rejects(
        blog.posts.aggregate(grouped().order(Orders.Asc, 'views'), choices),
        refusal,
      )
      await assert.rejects(
        blog.posts.aggregate(grouped().order(Orders.Asc, 'author.name'), choices),
        { ...refusal, message: /ordered by author.name, which is not part of groupBy/ },
      )
      await assert.rejects(blog.posts.all(posts().order(Orders.Asc, 'author.name')), refusal)
      const loosely: { groupBy(path: string): unknown } = posts()
      assert.throws(() => loosely.groupBy('comments.likes'), { ...refusal, message: /belongsTo/ })
      for (const path of ['author.nome', 'autor.name', 'author.boss.name', 'author.']) {
        assert.throws(() => loosely.groupBy(path), { code: 'E_COLUMN' }, path)
      }
      await assert.rejects(blog.posts.aggregate(posts().only('id'), choices), refusal)
      await assert.rejects(blog.posts.aggregate(grouped(), { authorId: count() }), refusal)
      await assert.rejects(blog.posts.aggregate(grouped(), {}), refusal)
      await assert.rejects(blog.posts.aggregate(posts(), { total: sum('title') }), {
        code: 'E_COLUMN',
        message: 'sum of posts.title: it is text, which has no sum',
      })
      const loose: { aggregate(...given: unknown[]): Promise<unknown> } = blog.posts
      await assert.rejects(loose.aggregate(posts(), { total: 'sum' }), refusal)
      await assert.rejects(loose.aggregate(undefined, choices), refusal)
      await assert.rejects(loose.aggregate(posts(), { total: sum('nothing') }), {
        code: 'E_COLUMN',
      })
      const half = grouped().having(sum('price'), Operators.Equal, '0.305')
      await assert.rejects(blog.posts.aggregate(half, choices), {
        code: 'E_COLUMN_VALUE',
      })
    })
    assert.deepEqual(statements, [])
  })
})
