import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { redact } from '../../base/redact.ts'
import { deviceHandle, Theft } from '../devices/trust.ts'
import { Purposes, Token, isProven, newTokenText, readTokenText, tokenText } from './token.ts'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'

const selector = 'a1'.repeat(8)
const secret = 'b2'.repeat(32)
const facts = {
  value: `${selector}.${secret}`,
  selector,
  user: '7',
  purpose: Purposes.Recovery,
  expires: 4600,
}

test('a token has its value, selector, user, purpose and expiry', () => {
  const token = new Token(facts)
  const { value, user, purpose, expires } = token
  assert.deepEqual({ value, selector: token.selector, user, purpose, expires }, facts)
})

test('in links the dot becomes a slash', () => {
  assert.equal(new Token(facts).path, `${selector}/${secret}`)
})

test('a token and a theft are read-only', () => {
  for (const thing of [new Token(facts), new Theft('7', selector, 1000)]) {
    assert.ok(Object.isFrozen(thing))
    for (const name of ['value', 'user', 'selector', 'at', 'more']) {
      assert.equal(Reflect.set(thing, name, 'x'), false)
    }
  }
})

test('a token that is logged, copied or written as JSON does not show its secret', () => {
  const token = new Token(facts)
  const shown = [
    inspect(token, { depth: null, showHidden: true, getters: false }),
    JSON.stringify({ token }),
    JSON.stringify(Object.assign({}, token)),
    JSON.stringify(redact({ made: token })),
    JSON.stringify(structuredClone(token)),
    Object.prototype.toString.call(token),
  ]
  for (const text of shown) assert.equal(text.includes(secret), false)
})

test('a theft has the user, the series and the time', () => {
  const { user, selector: series, at } = new Theft('7', selector, 1000)
  assert.deepEqual([user, series, at], ['7', selector, 1000])
})

test('the purposes have the stored names', () => {
  assert.deepEqual(Purposes, { Recovery: 'recovery', Verification: 'verification' })
})

test('the handle of a device is stable and reveals nothing of the selector', () => {
  const handle = deviceHandle(selector)
  assert.match(handle, /^[0-9a-f]{32}$/)
  assert.equal(deviceHandle(selector), handle)
  assert.notEqual(deviceHandle('a2'.repeat(8)), handle)
  assert.equal(handle.includes(selector.slice(0, 8)), false)
})

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
