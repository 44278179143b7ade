import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText } from './json-text.ts'

test('a bigint becomes a string at any depth', () => {
  const id = 9_007_199_254_740_993n
  assert.equal(jsonText(id), '"9007199254740993"')
  assert.equal(
    jsonText({ items: [{ id, name: 'Ada' }, [id]], total: 2 }),
    '{"items":[{"id":"9007199254740993","name":"Ada"},["9007199254740993"]],"total":2}',
  )
})

test('undefined becomes null', () => {
  assert.equal(jsonText(undefined), 'null')
})

test('a bigint beside things with a form of their own leaves those alone', () => {
  assert.equal(
    jsonText({ id: 1n, at: new Date(0), gone: undefined }),
    '{"id":"1","at":"1970-01-01T00:00:00.000Z"}',
  )
})

test('a circle is an error as before', () => {
  const circle: Record<string, unknown> = { id: 1n }
  circle['self'] = circle
  assert.throws(() => jsonText(circle), /circular/)
})

test('an error thrown by toJSON is passed on', () => {
  const failing = {
    toJSON(): never {
      throw new RangeError('no form')
    },
  }
  assert.throws(() => jsonText(failing), RangeError)
})

test('rows have the text that JSON.stringify gives them', () => {
  class Money {
    toJSON(): string {
      return '5 €'
    }
  }
  class Day extends Date {
    override toJSON(): string {
      return 'Monday'
    }
  }
  const at = new Date('2026-01-31T12:00:00.5Z')
  const own = { at, toJSON: () => 'own' }
  const rows = [
    { id: 1, at, left: undefined, price: new Money(), tags: ['a'], day: new Day(at) },
    { id: 2, at: null },
    { id: 3, at: new Date(Number.NaN), more: { at } },
    { id: 4 },
    own,
    null,
    [at],
  ]
  const page = { toJSON: () => ({ title: 'all', items: rows, other: [at] }) }
  for (const value of [rows, { items: rows, page: 1 }, page, own, at, [own], []]) {
    assert.equal(jsonText(value), JSON.stringify(value))
  }
  assert.deepEqual(Object.keys(rows[0] ?? {}), ['id', 'at', 'left', 'price', 'tags', 'day'])
})

test('rows with 64-bit numbers and dates need no second attempt', () => {
  const at = new Date(0)
  let reads = 0
  const last = {
    toJSON(): string {
      reads += 1
      return 'read'
    },
  }
  const text = '{"items":[{"id":"1","at":"1970-01-01T00:00:00.000Z","last":"read"}]}'
  assert.equal(jsonText({ items: [{ id: 1n, at, last }] }), text)
  assert.equal(reads, 1)
})
