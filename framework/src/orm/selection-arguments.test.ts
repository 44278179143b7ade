import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Orders } from '../database/sql/plan/operators.ts'
import { boolean, integer, key, text, timestamp } from './entity/column.ts'
import { entity } from './entity/entity.ts'
import { belongsTo } from './relations/relation.ts'
import { Selection } from './selection.ts'

const Users = entity('users', { id: key.integer(), name: text() })
const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer(),
  isOpen: boolean(),
  publishedAt: timestamp().nullable(),
  author: belongsTo(() => Users),
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
    refused(() => loose().filter('views', '~', 1), /operator of a filter must be one of/)
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
