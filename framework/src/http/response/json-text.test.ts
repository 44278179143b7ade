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
