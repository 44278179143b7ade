import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../base/errors.ts'
import { encodeCursor } from './cursor.ts'
import { signCursor, verifyCursor } from './signed-cursor.ts'

const key = createSecretKey(randomBytes(32))
const token = encodeCursor(['Bob', 7])
const signed = signCursor(token, key, 'by name')

const isCursorError = (error: unknown): boolean =>
  error instanceof InvalidArgumentException && error.code === 'E_CURSOR'

test('a signed cursor is read under the context and key it was signed with', () => {
  assert.equal(verifyCursor(signed, [key], 'by name'), token)
})

test('a signed cursor is refused under another context or another key', () => {
  assert.throws(() => verifyCursor(signed, [key], 'by age'), isCursorError)
  const another = createSecretKey(randomBytes(32))
  assert.throws(() => verifyCursor(signed, [another], 'by name'), isCursorError)
})

test('a signed cursor is rejected if any character was changed, added or removed', () => {
  for (let index = 0; index < signed.length; index += 1) {
    const other = signed[index] === 'A' ? 'B' : 'A'
    const changed = signed.slice(0, index) + other + signed.slice(index + 1)
    const shorter = signed.slice(0, index) + signed.slice(index + 1)
    assert.throws(() => verifyCursor(changed, [key], 'by name'), isCursorError)
    assert.throws(() => verifyCursor(shorter, [key], 'by name'), isCursorError)
  }
  assert.throws(() => verifyCursor(`${signed}A`, [key], 'by name'), isCursorError)
  assert.throws(() => verifyCursor(`${signed}.A`, [key], 'by name'), isCursorError)
})

test('an unsigned cursor is refused where signed ones are used', () => {
  assert.throws(() => verifyCursor(token, [key], 'by name'), isCursorError)
  assert.throws(() => verifyCursor(`${token}.`, [key], 'by name'), isCursorError)
  assert.throws(() => verifyCursor('', [key], 'by name'), isCursorError)
})
