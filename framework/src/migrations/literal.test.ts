import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { dialects } from '../../tests/support/dialects.ts'
import { literal } from './literal.ts'

const { sqlite, postgres, mariadb } = dialects

test('numbers are written as they are', () => {
  assert.equal(literal(-1.5, sqlite), '-1.5')
  assert.equal(literal(2n ** 63n - 1n, mariadb), '9223372036854775807')
  assert.equal(literal(null, postgres), 'NULL')
})

test('booleans are numbers where the database has none', () => {
  assert.equal(literal(true, postgres), 'TRUE')
  assert.equal(literal(false, mariadb), '0')
  assert.equal(literal(true, sqlite), '1')
})

test('a text cannot end its own literal', () => {
  const text = `a'; DROP TABLE x; --`
  for (const dialect of [sqlite, postgres, mariadb]) {
    assert.equal(literal(text, dialect), `'a''; DROP TABLE x; --'`)
  }
})

test('a backslash stays a backslash on every database', () => {
  const text = `\\' OR 1 = 1`
  assert.equal(literal(text, sqlite), `'\\'' OR 1 = 1'`)
  assert.equal(literal(text, postgres), `E'\\\\'' OR 1 = 1'`)
  assert.equal(literal(text, mariadb), `'\\\\'' OR 1 = 1'`)
})

test('bytes are written in hexadecimal', () => {
  const bytes = new Uint8Array([0, 255])
  assert.equal(literal(bytes, sqlite), `x'00ff'`)
  assert.equal(literal(bytes, mariadb), `x'00ff'`)
  assert.equal(literal(bytes, postgres), `decode('00ff', 'hex')`)
})

test('anything else is refused', () => {
  for (const value of [Number.NaN, Infinity, undefined, {}, 'a\0b', Symbol('x')]) {
    assert.throws(() => literal(value, sqlite), InvalidArgumentException)
  }
})
