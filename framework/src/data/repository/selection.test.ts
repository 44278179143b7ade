import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { Matches, Nulls, Operators, Orders } from '../sql/plan/operators.ts'
import { sql } from '../sql/plan/statement.ts'
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

describe('arguments that no type has checked', () => {
  const loose = (): Loose => new Selection(Posts)
  const refused = (call: () => unknown, message: RegExp): void =>
    assert.throws(call, {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message,
    })

  test('are an error where a branch of either is not a function, or is more than conditions', () => {
    refused(() => loose().either('views > 1'), /^each branch of either\(\) must be a function/)
    refused(() => loose().either({}), /got object$/)
    refused(
      () => new Selection(Posts).either((branch) => branch.order(Orders.Asc, 'id').limit(1)),
      /^a branch of either\(\) .* order\(\), limit\(\) would be ignored/,
    )
  })

  test('are an error where custom SQL is not a statement', () => {
    refused(
      () => loose().where('1 = 1'),
      /^where takes a statement, as in where\(sql`…`\), got string/,
    )
    refused(() => loose().where({ sql: '1 = 1', parameters: [] }), /got object$/)
    refused(() => loose().where(undefined), /got undefined$/)
  })

  test('are an error for an unknown direction, place of NULL, operator, match and lock', () => {
    refused(() => loose().order('DESC', 'views'), /must be one of 'asc', 'desc', got "DESC"/)
    refused(() => loose().order(undefined, 'views'), /got undefined/)
    refused(() => loose().order('asc', 'views', 'top'), /position of NULL .* got "top"/)
    refused(() => loose().order('asc', 'views', null), /position of NULL .* got null/)
    refused(() => loose().filter('views', '>', 1), /operator of a filter must be one of/)
    refused(() => loose().filter('views', 'is-null', 1), /'is-null' takes no value, got number/)
    refused(() => loose().match('title', 'regex', 'a'), /kind of a match/)
    refused(() => loose().lock('exclusive'), /a lock must be one of 'update', 'share'/)
  })

  test('are an error for unknown options of a lock, and for both', () => {
    refused(
      () => loose().lock('update', { skip: true }),
      /^lock has no option "skip"; it has skipLocked/,
    )
    refused(() => loose().lock('update', { noWait: 1 }), /true or false, got number/)
    refused(() => loose().lock('update', 'noWait'), /must be an object, got string/)
    refused(() => loose().lock('update', { skipLocked: true, noWait: true }), /exclude each other/)
    assert.equal(new Selection(Posts).lock('share', { skipLocked: true }).plan().locked, 'skip')
    assert.equal(new Selection(Posts).lock('update', { noWait: true }).plan().locked, 'fail')
    assert.equal(new Selection(Posts).lock('update', { noWait: false }).plan().locked, null)
  })

  test('are an error where a relation is filtered by more than conditions, or is unknown', () => {
    refused(() => loose().has('author', {}), /^has: the second argument must be a function/)
    refused(
      () => new Selection(Posts).hasNone('author', (author) => author.limit(1)),
      /^hasNone\('author'\) .* limit\(\) would be ignored/,
    )
    assert.throws(() => loose().has('title'), { code: 'E_COLUMN' })
  })

  test('are an error for limits of another type', () => {
    refused(() => loose().limit('10'), /^limit must be a whole number, at least 0, got string$/)
    refused(() => loose().offset(null), /got null$/)
  })

  test('are an error for columns that do not exist, or none', () => {
    refused(() => loose().only(), /^only needs at least one column$/)
    assert.throws(() => loose().only('author'), { code: 'E_COLUMN' })
    assert.throws(() => loose().order('asc', 'author_id'), { code: 'E_COLUMN' })
  })
})

interface Loose {
  either(...given: unknown[]): unknown
  where(...given: unknown[]): unknown
  order(...given: unknown[]): unknown
  filter(...given: unknown[]): unknown
  match(...given: unknown[]): unknown
  lock(...given: unknown[]): unknown
  has(...given: unknown[]): unknown
  limit(...given: unknown[]): unknown
  offset(...given: unknown[]): unknown
  only(...given: unknown[]): unknown
}

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
  assert.throws(() => new Selection(Posts).distinct().reading, { message: /it needs only\(\)/ })
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
