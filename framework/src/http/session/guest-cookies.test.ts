import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someKey, someSecret } from '../../../tests/support/some-key.ts'
import {
  GuestCookies,
  isSealedGuest,
  maxGuestCookie,
  newGuestId,
  fitGuest,
} from './guest-cookies.ts'
import { ApplicationKey } from '../../settings/application-key.ts'
import { isSessionId, newSessionId } from './session-id.ts'
import type { SessionData } from './session-data.ts'

const guest = { id: newGuestId(), created: 1000, data: { values: { csrf: 'x' }, flash: {} } }

test('a sealed guest is opened again, and its value needs no quoting in a cookie', () => {
  const cookies = new GuestCookies(someKey())
  const value = cookies.seal(guest)
  assert.match(value, /^1\.[\w-]+$/)
  assert.deepEqual(cookies.open(value), guest)
  assert.notEqual(cookies.seal(guest), value)
})

test('an id is no sealed guest, and a sealed guest is no id', () => {
  const value = new GuestCookies(someKey()).seal(guest)
  assert.deepEqual([isSealedGuest(value), isSessionId(value)], [true, false])
  assert.deepEqual([isSealedGuest(newSessionId()), isSealedGuest(undefined)], [false, false])
})

test('a cookie that was changed, cut, made up or sealed with another key is rejected', () => {
  const cookies = new GuestCookies(someKey())
  const value = cookies.seal(guest)
  const changed = Array.from({ length: value.length - 2 }, (_, at) => {
    const sign = value[at + 2] === 'A' ? 'B' : 'A'
    return value.slice(0, at + 2) + sign + value.slice(at + 3)
  })
  // The last sign of base64 may hold bits that count for nothing.
  for (const forged of changed.slice(0, -1)) assert.equal(cookies.open(forged), null)
  for (const garbage of [
    '1.',
    '1.!',
    `1.${'A'.repeat(3000)}`,
    value.slice(0, -8),
    `${value}AAAA`,
  ]) {
    assert.equal(cookies.open(garbage), null)
  }
  assert.equal(new GuestCookies(someKey()).open(value), null)
  assert.equal(cookies.open(`1.${'A'.repeat(100_000)}`), null)
})

test('data sealed for another purpose, or of another shape, is rejected', () => {
  const key = someKey()
  const cookies = new GuestCookies(key)
  const sealed = (purpose: string, value: unknown): string => {
    const plain = Buffer.from(JSON.stringify(value))
    return `1.${key.messageEncrypter(purpose).encrypt(plain).toString('base64url')}`
  }
  const parts = [guest.id, guest.created, guest.data]
  assert.deepEqual(cookies.open(sealed('guest session', parts)), guest)
  assert.equal(cookies.open(sealed('queue', parts)), null)
  for (const other of [
    null,
    {},
    [],
    [guest.id, '1000', guest.data],
    ['short', 1000, guest.data],
    [guest.id, 1.5, guest.data],
    [guest.id, 1000, { values: [], flash: {} }],
  ]) {
    assert.equal(cookies.open(sealed('guest session', other)), null)
  }
})

test('a former key still opens, and the present one seals', () => {
  const [old, current] = [someSecret(), someSecret()]
  const before = new GuestCookies(new ApplicationKey(old))
  const after = new GuestCookies(new ApplicationKey(current, [old]))
  assert.deepEqual(after.open(before.seal(guest)), guest)
  assert.equal(before.open(after.seal(guest)), null)
})

test('a cookie never has more than 3.5 KB, and what fits is 2.5 KB of JSON', () => {
  const cookies = new GuestCookies(someKey())
  const sealed = (length: number): string => {
    const data = { values: { csrf: 'x' }, flash: { old: { text: 'x'.repeat(length) } } }
    return cookies.seal({ ...guest, data })
  }
  assert.ok(sealed(2500).length <= maxGuestCookie)
  assert.equal(Object(Object(cookies.open(sealed(2500))?.data.flash)['old'])['text'].length, 2500)
  for (let length = 2480; length < 2700; length += 1) {
    const value = sealed(length)
    assert.ok(value.length <= maxGuestCookie, `${value.length} characters`)
    assert.equal(cookies.open(value)?.data.values['csrf'], 'x')
  }
})

test('the same cookie is decrypted once, and no request can change what the next one gets', () => {
  const cookies = new GuestCookies(someKey())
  const value = cookies.seal(guest)
  const opened = cookies.open(value)
  assert.equal(cookies.open(value), opened)
  assert.ok(Object.isFrozen(opened?.data.values))
  for (let at = 0; at < 1_000; at += 1) cookies.open(cookies.seal(guest))
  assert.notEqual(cookies.open(value), opened)
  assert.deepEqual(cookies.open(value), guest)
})

const csrf = 'c'.repeat(43)

const full: SessionData = {
  values: { csrf, intended: `/${'i'.repeat(400)}`, cart: ['bread'.repeat(60)], theme: 'dark' },
  flash: {
    old: { email: 'ada@example.com', text: 't'.repeat(800), note: 'n'.repeat(200) },
    errors: { email: ['e'.repeat(100)] },
    message: 'This form has expired.',
    expired: '/login',
  },
}

/** The names of what is left, with those of the fields of `old`. */
function left(maxBytes: number): string {
  const { values, flash } = fitGuest(full, maxBytes)
  const { old, ...others } = flash
  const fields = old === undefined ? [] : [`old(${Object.keys(Object(old)).join()})`]
  return [...Object.keys(values), ...fields, ...Object.keys(others)].toSorted().join(' ')
}

test('what fits stays as it is', () => {
  assert.equal(fitGuest(full, JSON.stringify(full).length), full)
})

test('old goes first, its largest field before the others; then intended, the values, errors and the message', () => {
  for (const [bytes, expected] of [
    [2048, 'cart csrf errors expired intended message old(email,note) theme'],
    [1200, 'cart csrf errors expired intended message old(email) theme'],
    [1020, 'cart csrf errors expired intended message theme'],
    [900, 'cart csrf errors expired message theme'],
    [500, 'csrf errors expired message theme'],
    [270, 'csrf errors expired message'],
    [250, 'csrf errors message'],
    [200, 'csrf message'],
    [90, 'csrf'],
    [1, 'csrf'],
  ] as const) {
    assert.equal(left(bytes), expected, `${bytes} bytes`)
    const size = JSON.stringify(fitGuest(full, bytes)).length
    assert.ok(size <= bytes || bytes < 90, `${size} of ${bytes} bytes`)
  }
})

test('bytes are counted, as they stand in JSON', () => {
  for (const sign of ['"', '\n', '\u0001', 'ü', '€', '\u{1f600}', '\ud800']) {
    const data = { values: { csrf }, flash: { old: { a: sign.repeat(500), b: 'short' } } }
    const fitted = fitGuest(data, 300)
    assert.deepEqual(fitted, { values: { csrf }, flash: { old: { b: 'short' } } })
  }
})

test('an old that is no record of fields goes as a whole, and a key may be called __proto__', () => {
  const flash = JSON.parse(`{"old":"${'x'.repeat(300)}","__proto__":"kept"}`)
  const fitted = fitGuest({ values: {}, flash }, 100)
  assert.equal(JSON.stringify(fitted), '{"values":{},"flash":{"__proto__":"kept"}}')
})

test('four thousand fields are fitted within a moment', () => {
  const old = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`f${at}`, '']))
  const started = performance.now()
  const { flash } = fitGuest({ values: { csrf }, flash: { old } }, 2600)
  assert.ok(Object.keys(Object(flash['old'])).length > 100)
  assert.ok(performance.now() - started < 1000)
})
