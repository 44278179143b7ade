import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from './description.ts'
import { messageOf } from '../../base/to-error.ts'

class Gone extends Error {}

test('an error is described with its causes, the outer one first', () => {
  const cause = new AggregateError([new Gone('third')], 'second')
  const descriptions = describe(new TypeError('first', { cause }))
  assert.deepEqual(
    descriptions.map(({ relation, class: name, message }) => [relation, name, message]),
    [
      ['thrown', 'TypeError', 'first'],
      ['cause', 'AggregateError', 'second'],
      ['aggregated', 'Gone', 'third'],
    ],
  )
})

test('each error comes with frames and properties of its own', () => {
  const cause = Object.assign(new Error('inner'), { code: 'E_INNER' })
  const [outer, inner] = describe(new Error('outer', { cause }))
  assert.equal(outer?.frames[0]?.file, import.meta.filename)
  assert.deepEqual(outer?.properties, [])
  assert.deepEqual(inner?.properties, [{ name: 'code', preview: "'E_INNER'" }])
})

test('secrets are replaced in messages and causes', () => {
  const cause = new Error('GET /x?token=planted')
  const [outer, inner] = describe(new Error('no route to redis://:planted@cache', { cause }))
  assert.equal(outer?.message, 'no route to redis://[redacted]@cache')
  assert.equal(inner?.message, 'GET /x?token=[redacted]')
})

test('a message is bounded', () => {
  assert.ok(messageOf(new Error('x'.repeat(1_000_000))).length < 8_300)
})

test('a message that is not a string is converted, a throwing one is empty', () => {
  assert.equal(messageOf(Object.defineProperty(new Error(''), 'message', { value: 7 })), '7')
  const hostile = {
    get: (): string => {
      throw new Error('no')
    },
  }
  assert.equal(messageOf(Object.defineProperty(new Error(''), 'message', hostile)), '')
  const odd = { value: Object.create(null) }
  assert.equal(messageOf(Object.defineProperty(new Error(''), 'message', odd)), '')
})

test('an error made to resist every look is described all the same', () => {
  const hostile = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('no')
    },
    ownKeys: () => {
      throw new Error('no')
    },
  })
  assert.deepEqual(describe(hostile), [
    { relation: 'thrown', class: 'Error', message: '', properties: [], frames: [] },
  ])
})
