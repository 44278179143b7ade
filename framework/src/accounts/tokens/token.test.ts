import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { redact } from '../../base/redact.ts'
import { deviceHandle } from './device.ts'
import { Purposes } from './purposes.ts'
import { Theft } from './theft.ts'
import { Token } from './token.ts'

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
