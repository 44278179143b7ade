import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { framesOf } from '../errors/stack/frames.ts'
import { toError } from './to-error.ts'

test('an error is returned unchanged', () => {
  const error = new TypeError('x')
  assert.equal(toError(error), error)
})

test('any other value becomes the cause of an error that shows it', () => {
  for (const [thrown, text] of [
    ['a word', 'a word'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ reason: 'odd' }, "{ reason: 'odd' }"],
  ] as const) {
    const error = toError(thrown)
    assert.equal(error.message, `thrown value is not an Error: ${text}`)
    assert.equal(error.cause, thrown)
  }
})

test('the same object yields the same error', () => {
  const thrown = { reason: 'odd' }
  assert.equal(toError(thrown), toError(thrown))
})

test('it has no stack frames, since the throw point is unknown', () => {
  assert.deepEqual(framesOf(toError('a word')), [])
})

test('an unreadable value yields an error too', () => {
  const trap = (): never => {
    throw new Error('trap')
  }
  for (const thrown of [
    { [inspect.custom]: trap },
    new Proxy({}, { getPrototypeOf: trap, ownKeys: trap, get: trap }),
    Object.defineProperty(() => {}, 'name', { get: trap }),
  ]) {
    assert.match(toError(thrown).message, /^thrown value is not an Error: /)
  }
})

test('an error of another realm is an error', () => {
  const error: unknown = runInNewContext('new TypeError("elsewhere")')
  assert.equal(error instanceof Error, false)
  assert.equal(toError(error), error)
})

test('the message does not contain secrets of a thrown object', () => {
  const { message } = toError({ password: 'hunter2', url: 'https://me:hunter2@host/' })
  assert.match(message, /password: '\[redacted\]'/)
  assert.doesNotMatch(message, /hunter2/)
})
