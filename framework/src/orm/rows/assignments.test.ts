import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changedAssignments, newRow } from './assignments.ts'
import type { Assignment } from './assignments.ts'
import { integer, key, text } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { belongsTo } from '../relations/relation.ts'

const Users = entity('users', { id: key.integer() })
const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer().optional(),
  note: text().nullable(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users).nullable(),
})

const pairs = (assignments: readonly Assignment[]): unknown[] =>
  assignments.map(({ column, value }) => [column.property, value])

describe('a new row', () => {
  test('is written in the order of the columns, whatever the order of its properties', () => {
    const { columns, values } = newRow(Posts, { authorId: 1, note: null, title: 'Tea' })
    const properties = columns.map(({ property }) => property)
    assert.deepEqual(
      [properties, values],
      [
        ['title', 'note', 'authorId'],
        ['Tea', null, 1],
      ],
    )
  })

  test('without some columns is rejected, and all of them are listed', () => {
    assert.throws(() => newRow(Posts, { views: 1 }), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: 'posts: a new row needs title, authorId',
    })
  })
})

describe('values are rejected', () => {
  const refused = (values: unknown, message: RegExp, code = 'E_INVALID_ARGUMENT'): void => {
    assert.throws(() => changedAssignments(Posts, values), {
      name: 'InvalidArgumentException',
      code,
      message,
    })
  }

  test('with an unknown property, and the error lists the columns', () => {
    refused({ titel: 'x' }, /no column "titel"; it has id, title, views, note, author/, 'E_COLUMN')
    refused({ author: { id: 1 } }, /no column "author"/, 'E_COLUMN')
    refused(JSON.parse('{ "__proto__": 1 }'), /no column "__proto__"/, 'E_COLUMN')
    refused({ constructor: 1 }, /no column "constructor"/, 'E_COLUMN')
  })

  test('with undefined, which is neither omitted nor NULL', () => {
    refused({ note: undefined }, /posts\.note is undefined; omit it, or use null/)
  })

  test('that are not an object', () => {
    refused(null, /values must be an object by property, got null/)
    refused('title', /got string/)
    refused(undefined, /got undefined/)
    refused(['title'], /no column "0"/, 'E_COLUMN')
  })
})

test('changes contain what was given, in the order of the columns', () => {
  const assignments = changedAssignments(Posts, { note: null, title: 'Tea' })
  assert.deepEqual(pairs(assignments), [
    ['title', 'Tea'],
    ['note', null],
  ])
  assert.deepEqual(changedAssignments(Posts, {}), [])
})
