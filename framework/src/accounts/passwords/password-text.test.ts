import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordBytes } from './password-text.ts'

test('the same text has the same bytes, however a keyboard composes it', () => {
  assert.deepEqual(passwordBytes('a\u0308'), passwordBytes('\u00e4'))
})

test('characters that merely look alike stay distinct', () => {
  assert.notDeepEqual(passwordBytes('x²'), passwordBytes('x2'))
  assert.notDeepEqual(passwordBytes('ｆ'), passwordBytes('f'))
})

test('a password has 1 to 1,024 bytes; a longer one is rejected, not truncated', () => {
  assert.equal(passwordBytes(''), null)
  assert.equal(passwordBytes('a')?.length, 1)
  assert.equal(passwordBytes('a'.repeat(1_024))?.length, 1_024)
  assert.equal(passwordBytes('a'.repeat(1_025)), null)
  assert.equal(passwordBytes('é'.repeat(512))?.length, 1_024)
  assert.equal(passwordBytes('é'.repeat(513)), null)
})

test('a text whose normal form is too long is refused, too', () => {
  // Three times as many bytes once it is taken apart, which is its normal form.
  assert.equal(passwordBytes('\u{1d160}'.repeat(200)), null)
})

test('half a surrogate pair is refused: all of them would have the same bytes', () => {
  assert.equal(passwordBytes('\ud800'), null)
  assert.equal(passwordBytes('😀')?.length, 4)
})

test('spaces and control characters are kept', () => {
  assert.equal(passwordBytes(' a\0b ')?.toString('latin1'), ' a\0b ')
})
