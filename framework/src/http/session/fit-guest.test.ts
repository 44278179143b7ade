import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitGuest } from './fit-guest.ts'
import type { SessionData } from './session-data.ts'

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
    [2048, 'cart csrf errors expired intended message old(note,email) theme'],
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
