import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dialects } from '../../tests/support/dialects.ts'
import { Matches, Nulls, Operators, Orders } from '../database/sql/plan/operators.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { boolean, integer, key, text, timestamp } from './entity/column.ts'
import { entity } from './entity/entity.ts'
import { belongsTo, hasMany } from './relations/relation.ts'
import { Selection } from './selection.ts'

const Users = entity('users', { id: key.integer(), name: text() })
type Users = typeof Users
const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer(),
  isOpen: boolean(),
  publishedAt: timestamp().nullable(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users).nullable(),
})
const title = Posts.column('title')
const views = Posts.column('views')

test('a new selection selects every row and column of its entity', () => {
  assert.deepEqual(new Selection(Posts).plan(), {
    table: 'posts',
    columns: Posts.columns,
    conditions: [],
    orderings: [],
    seek: null,
    limit: null,
    offset: 0,
    lock: null,
    locked: null,
    isDistinct: false,
  })
})

describe('conditions', () => {
  test('are kept in the order they were added, each with its column', () => {
    const { conditions } = new Selection(Posts)
      .filter('views', Operators.Greater, 10)
      .filter('publishedAt', Operators.IsNull)
      .match('title', Matches.Contains, 'node')
      .plan()
    assert.deepEqual(conditions, [
      { type: 'comparison', column: views, operator: 'greater', value: 10 },
      {
        type: 'comparison',
        column: Posts.column('publishedAt'),
        operator: 'is-null',
        value: undefined,
      },
      { type: 'matching', column: title, match: 'contains', text: 'node' },
    ])
  })

  test('of either() are one list per branch', () => {
    const { conditions } = new Selection(Posts)
      .either(
        (branch) => branch.filter('views', Operators.Equal, 1),
        (branch) => branch.filter('isOpen', Operators.IsTrue).filter('id', Operators.In, [1, 2]),
        () => {},
      )
      .plan()
    assert.deepEqual(conditions, [
      {
        type: 'either',
        branches: [
          [{ type: 'comparison', column: views, operator: 'equal', value: 1 }],
          [
            {
              type: 'comparison',
              column: Posts.column('isOpen'),
              operator: 'is-true',
              value: undefined,
            },
            { type: 'comparison', column: Posts.key, operator: 'in', value: [1, 2] },
          ],
          [],
        ],
      },
    ])
  })

  test('can be custom SQL', () => {
    const statement = sql`length(title) > ${10}`
    const { conditions } = new Selection(Posts).where(statement).plan()
    assert.deepEqual(conditions, [{ type: 'handwritten', statement }])
  })

  test('on an unknown column are rejected immediately', () => {
    const selection = new Selection(Posts)
    // @ts-expect-error no such column
    assert.throws(() => selection.filter('title; DROP TABLE posts', Operators.Equal, 'x'), {
      code: 'E_COLUMN',
    })
    // @ts-expect-error no such column
    assert.throws(() => selection.match('body', Matches.Like, '%'), { code: 'E_COLUMN' })
    // @ts-expect-error no such column
    assert.throws(() => selection.order(Orders.Asc, 'author'), { code: 'E_COLUMN' })
  })

  test('that match need a text column', () => {
    // @ts-expect-error views is not text
    assert.throws(() => new Selection(Posts).match('views', Matches.Like, '%'), {
      name: 'InvalidArgumentException',
      code: 'E_COLUMN',
      message: /posts\.views is integer/,
    })
  })
})

test('orders are kept in sequence, with the position of NULL', () => {
  const { orderings } = new Selection(Posts)
    .order(Orders.Desc, 'views')
    .order(Orders.Asc, 'publishedAt', Nulls.Last)
    .plan()
  assert.deepEqual(orderings, [
    { column: views, order: 'desc', nulls: null },
    { column: Posts.column('publishedAt'), order: 'asc', nulls: 'last' },
  ])
})

test('limit, offset and lock are kept', () => {
  const plan = new Selection(Posts).limit(5).offset(10).lock('share').plan()
  assert.partialDeepStrictEqual(plan, { limit: 5, offset: 10, lock: 'share' })
  assert.equal(new Selection(Posts).lock().plan().lock, 'update')
})

test('limit and offset must be whole numbers, at least 0', () => {
  for (const rows of [-1, 1.5, Number.NaN, Infinity, 2 ** 53]) {
    const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
    assert.throws(() => new Selection(Posts).limit(rows), refusal)
    assert.throws(() => new Selection(Posts).offset(rows), refusal)
  }
})

test('relations are kept once each; an unknown one is rejected', () => {
  const selection = new Selection(Posts).with('author', 'editor').with('author')
  assert.deepEqual(selection.relations, ['author', 'editor'])
  // @ts-expect-error no such relation
  assert.throws(() => selection.with('title'), {
    code: 'E_COLUMN',
    message: 'posts has no relation "title"; it has author, editor',
  })
})

describe('what a relation is narrowed to', () => {
  const related = Posts.target('author')

  test('is kept with the relation, and the selection is not shared with anyone', () => {
    const selection = new Selection(Posts).with({
      editor: (editor) => editor.filter('name', Operators.Equal, 'Ada').limit(1),
    })
    const [read] = selection.reading.relations
    assert.equal(read?.reading?.entity, related)
    assert.partialDeepStrictEqual(read?.reading?.plan, { limit: 1, table: 'users' })
    assert.deepEqual(selection.clone().reading.relations, selection.reading.relations)
  })

  test('must be true or a function that returns its selection', () => {
    const loose: { with(...given: unknown[]): unknown; withCount(...given: unknown[]): unknown } =
      new Selection(Posts)
    const refusal = (message: RegExp) => ({
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message,
    })
    assert.throws(() => loose.with({ author: 1 }), refusal(/author must be true or a function/))
    assert.throws(() => loose.with({ author: false }), refusal(/got boolean/))
    assert.throws(() => loose.with(7), refusal(/^with takes names of relations, .* got number$/))
    assert.throws(() => loose.with(['author']), refusal(/got a list$/))
    assert.throws(() => loose.with(null), refusal(/got null$/))
    assert.throws(
      () => loose.with({ editor: () => undefined }),
      refusal(/must return the selection/),
    )
    const other = () => new Selection(Posts)
    assert.throws(() => loose.with({ editor: other }), refusal(/must return the selection/))
    assert.throws(() => loose.withCount({ author: 'all' }), refusal(/^withCount: author must be/))
    assert.throws(() => loose.with({ writer: true }), { code: 'E_COLUMN' })
    assert.throws(() => loose.withCount('writer'), { code: 'E_COLUMN' })
    assert.deepEqual(new Selection(Posts).reading.relations, [])
  })

  test('cannot be fewer rows for a belongs-to that every row has', () => {
    for (const narrow of [
      (author: Selection<Users>) => author.filter('name', Operators.Equal, 'Ada'),
      (author: Selection<Users>) => author.limit(1),
      (author: Selection<Users>) => author.offset(1),
    ]) {
      assert.throws(() => new Selection(Posts).with({ author: narrow }), {
        code: 'E_RELATION',
        message:
          /^posts\.author: every row has one, so it cannot be narrowed; use has\('author', …\)/,
      })
    }
  })

  test('cannot be a position or a lock', () => {
    const at = [{ column: 'id', order: Orders.Asc }]
    assert.throws(() => new Selection(Posts).with({ editor: (user) => user.seek(at, [1]) }), {
      code: 'E_RELATION',
      message: /seek\(\)/,
    })
    assert.throws(() => new Selection(Posts).with({ editor: (user) => user.lock() }), {
      code: 'E_RELATION',
      message: /lock\(\)/,
    })
  })

  test('is only one for each relation', () => {
    const selection = new Selection(Posts).with({ editor: (editor) => editor.limit(1) })
    assert.throws(() => selection.with('editor'), { code: 'E_RELATION', message: /already read/ })
    selection.withCount('editor').withCount('editor')
    assert.equal(selection.reading.relations.length, 2)
  })

  test('has conditions alone for a count, whose name must be free', () => {
    assert.throws(() => new Selection(Posts).withCount({ editor: (user) => user.limit(1) }), {
      code: 'E_INVALID_ARGUMENT',
      message: /^a count of posts\.editor .* limit\(\) would be ignored/,
    })
    const Lists = entity('lists', {
      id: key.integer(),
      itemsCount: integer(),
      items: hasMany(() => Posts, 'views'),
    })
    assert.throws(() => new Selection(Lists).withCount('items'), {
      code: 'E_RELATION',
      message: /^lists\.items: its count would replace itemsCount/,
    })
  })
})

test('only some columns are the same list each time, in the order of the entity', () => {
  const columns = () => new Selection(Posts).only('views', 'id').reading.columns
  assert.deepEqual(
    columns().map(({ property }) => property),
    ['id', 'views'],
  )
  assert.equal(columns(), columns())
  const every = new Selection(Posts).only('id', 'title', 'views', 'isOpen', 'publishedAt')
  assert.equal(every.only('id', 'title').clone().reading.columns.length, 2)
})

test('distinct rows need only(), an order by what they show, and nothing beside it', () => {
  const some = () => new Selection(Posts).only('title').distinct()
  assert.equal(some().clone().plan().isDistinct, true)
  assert.throws(() => new Selection(Posts).distinct().reading, {
    message: /choose columns with only\(\)/,
  })
  assert.throws(() => some().order(Orders.Asc, 'views').reading, { message: /ordered by views/ })
  assert.throws(() => some().with('author').reading, { message: /relations are loaded/ })
  assert.throws(() => some().lock().reading, { message: /lock\(\) is for whole rows/ })
})

describe('seek', () => {
  test('takes SQL column names and one value for each', () => {
    const { seek } = new Selection(Posts)
      .seek(
        [
          { column: 'published_at', order: Orders.Desc },
          { column: 'id', order: Orders.Asc },
        ],
        ['2026-01-01', 7],
      )
      .plan()
    assert.deepEqual(seek, {
      orderings: [
        { column: Posts.column('publishedAt'), order: 'desc', nulls: null },
        { column: Posts.key, order: 'asc', nulls: null },
      ],
      values: ['2026-01-01', 7],
    })
  })

  test('rejects lists of different length, empty lists and unknown columns', () => {
    const selection = new Selection(Posts)
    const orders = [{ column: 'id', order: Orders.Asc }]
    assert.throws(() => selection.seek(orders, []), { code: 'E_CURSOR' })
    assert.throws(() => selection.seek(orders, [1, 2]), { code: 'E_CURSOR' })
    assert.throws(() => selection.seek([], []), { code: 'E_CURSOR' })
    const property = [{ column: 'publishedAt', order: Orders.Asc }]
    assert.throws(() => selection.seek(property, [1]), { code: 'E_COLUMN' })
    assert.equal(selection.plan().seek, null)
  })
})

test('each call changes the selection and returns it', () => {
  const selection = new Selection(Posts)
  assert.equal(selection.filter('views', Operators.Equal, 1), selection)
  assert.equal(selection.order(Orders.Asc, 'id'), selection)
  assert.equal(selection.with('author'), selection)
})

test('a clone starts equal and is independent', () => {
  const first = new Selection(Posts, dialects.postgres)
    .filter('views', Operators.Equal, 1)
    .order(Orders.Asc, 'views')
    .with('author')
    .seek([{ column: 'id', order: Orders.Asc }], [1])
    .limit(5)
    .offset(2)
    .lock()
  const before = structuredClone(first.plan())
  const copy = first.clone()
  assert.deepEqual(copy.plan(), first.plan())
  assert.deepEqual(copy.relations, first.relations)
  copy.filter('id', Operators.Greater, 9).order(Orders.Desc, 'id').with('editor').limit(1).offset(0)
  assert.deepEqual(first.plan(), before)
  assert.deepEqual(first.relations, ['author'])
})

test('count() counts rows by the conditions alone', () => {
  const selection = new Selection(Posts, dialects.postgres)
    .filter('views', Operators.Greater, 10)
    .order(Orders.Asc, 'views')
    .seek([{ column: 'id', order: Orders.Asc }], [1])
    .limit(5)
    .offset(2)
    .lock()
  const { sql: text, parameters } = selection.count()
  assert.equal(text, 'SELECT COUNT(*) AS total FROM "posts" WHERE "views" > $1::int8')
  assert.deepEqual(parameters, [10])
  assert.equal(
    selection.count(dialects.mariadb).sql,
    'SELECT COUNT(*) AS total FROM `posts` WHERE `views` > ?',
  )
})
