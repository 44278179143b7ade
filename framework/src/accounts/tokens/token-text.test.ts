import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isProven, newTokenText, readTokenText, tokenText } from './token-text.ts'

const selector = '0123456789abcdef'
const secret = '0123456789abcdef'.repeat(4)

test('a token is 8 random bytes, a dot and 32 random bytes, in lower-case hexadecimal', () => {
  const made = Array.from({ length: 50 }, newTokenText)
  for (const { value } of made) assert.match(value, /^[0-9a-f]{16}\.[0-9a-f]{64}$/)
  const halves = made.flatMap(({ value }) => value.split('.'))
  assert.equal(new Set(halves).size, 100)
})

test('only the sha256 digest of the secret is stored, and the token leads to it', () => {
  const { value, selector: own, digest } = newTokenText()
  const [first = '', second = ''] = value.split('.')
  assert.equal(own, first)
  assert.equal(digest, createHash('sha256').update(second).digest('hex'))
  assert.deepEqual(readTokenText(value), { selector: own, digest })
})

test('the next secret of a series has the same selector and a new secret', () => {
  const [one, other] = [tokenText(selector), tokenText(selector)]
  assert.deepEqual([one.selector, other.selector], [selector, selector])
  assert.notEqual(one.digest, other.digest)
  assert.equal(one.value.slice(0, 17), `${selector}.`)
})

test('any other text is no token', () => {
  const others = [
    '',
    '.',
    selector,
    `${selector}.`,
    `.${secret}`,
    `${selector}/${secret}`,
    `${selector}${secret}`,
    `${selector.toUpperCase()}.${secret}`,
    `${selector}.${secret.toUpperCase()}`,
    `${selector}.${secret}0`,
    `0${selector}.${secret}`,
    `${selector.slice(1)}.${secret}`,
    `${selector}.${secret.slice(1)}`,
    `${selector}.${secret}\n`,
    ` ${selector}.${secret}`,
    `${selector}.${secret}.`,
    `${selector}.${secret.slice(1)}g`,
    `${selector}.${secret.slice(1)}\0`,
    `${selector}.${secret.slice(1)}０`,
    'x'.repeat(1_000_000),
    null,
    undefined,
    7,
    [`${selector}.${secret}`],
  ]
  for (const other of others) assert.equal(readTokenText(other), null)
})

test('only texts of exactly this form are parsed', () => {
  const near = fc
    .tuple(fc.constant(`${selector}.${secret}`), fc.nat(80), fc.string({ maxLength: 2 }))
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + 1))
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (text) => {
      const isToken = /^[0-9a-f]{16}\.[0-9a-f]{64}$/.test(text)
      assert.equal(readTokenText(text) !== null, isToken)
    }),
  )
})

test('only the full stored digest matches, not a part of it and not a missing one', () => {
  const { digest } = newTokenText()
  const proof = { selector, digest }
  assert.equal(isProven(digest, proof), true)
  assert.equal(isProven(newTokenText().digest, proof), false)
  for (const stored of ['', digest.slice(1), `${digest} `, digest.toUpperCase(), null]) {
    assert.equal(isProven(stored, proof), false)
  }
})
