import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneTimeCode, timeStep, matchingStep, readOneTimeCode } from './one-time-code.ts'

const secret = Buffer.from('12345678901234567890')

test('the values of RFC 4226, appendix D', () => {
  const codes = [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ]
  assert.deepEqual(
    codes.map((_, counter) => oneTimeCode(secret, counter)),
    codes,
  )
})

test('the SHA-1 values of RFC 6238, appendix B', () => {
  for (const [now, code] of [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const) {
    assert.equal(oneTimeCode(secret, timeStep(now), 8), code)
  }
})

test('a step lasts 30 seconds, from its first to before its last', () => {
  assert.deepEqual([0, 29.999, 30, 59, 60].map(timeStep), [0, 0, 1, 1, 2])
})

const now = 1_700_000_010
const current = Math.floor(now / 30)

test('the codes of this step, the one before and the one after are accepted, no others', () => {
  const accepted = [-2, -1, 0, 1, 2].map((offset) =>
    matchingStep(secret, oneTimeCode(secret, current + offset), { now, last: 0 }),
  )
  assert.deepEqual(accepted, [null, current - 1, current, current + 1, null])
})

test('a code of the last accepted step, or an earlier one, is refused', () => {
  const code = oneTimeCode(secret, current)
  assert.equal(matchingStep(secret, code, { now, last: current - 1 }), current)
  assert.equal(matchingStep(secret, code, { now, last: current }), null)
  assert.equal(matchingStep(secret, code, { now, last: current + 1 }), null)
})

test('a code that two steps share counts for the later one', () => {
  // Found by trying: it happens once in a million steps.
  const at = 910_737
  const code = oneTimeCode(secret, at)
  assert.equal(oneTimeCode(secret, at + 1), code)
  assert.equal(matchingStep(secret, code, { now: at * 30, last: 0 }), at + 1)
})

test('spaces are ignored; anything else but six digits is no code', () => {
  assert.equal(readOneTimeCode(' 123 456\n'), '123456')
  for (const text of ['', '12345', '1234567', '12345a', '١٢٣٤٥٦', '123.456', '-12345']) {
    assert.equal(readOneTimeCode(text), null, text)
  }
})
