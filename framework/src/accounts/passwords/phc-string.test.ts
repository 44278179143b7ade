import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatPhc, parsePhc } from './phc-string.ts'

const salt = 'c29tZXNhbHQ'
const hash = 'aGFzaGhhc2hoYXNo'

test('a hash is parsed with its parameters in order', () => {
  assert.deepEqual(parsePhc(`$argon2id$v=19$m=64,t=2,p=1$${salt}$${hash}`), {
    id: 'argon2id',
    version: 19,
    parameters: [
      ['m', 64],
      ['t', 2],
      ['p', 1],
    ],
    salt: Buffer.from('somesalt'),
    hash: Buffer.from('hashhashhash'),
  })
})

test('a hash without a version has none', () => {
  assert.equal(parsePhc(`$scrypt$ln=14,r=8,p=1$${salt}$${hash}`)?.version, null)
})

for (const [what, text] of [
  ['padding', `$a$m=1$c29tZXNhbHQ=$${hash}`],
  ['stray bits behind the last byte', `$a$m=1$c29tZXNhbHR$${hash}`],
  ['the alphabet of URLs', `$a$m=1$c29tZXNh-_Q$${hash}`],
  ['a number with a zero in front', `$a$m=01$${salt}$${hash}`],
  ['a number that is not whole', `$a$m=1.5$${salt}$${hash}`],
  ['a number no computer counts to', `$a$m=99999999999999999999$${salt}$${hash}`],
  ['a version with a zero in front', `$a$v=019$m=1$${salt}$${hash}`],
  ['a line break at its end', `$a$m=1$${salt}$${hash}\n`],
  ['a space in front', ` $a$m=1$${salt}$${hash}`],
  ['no salt', `$a$m=1$$${hash}`],
  ['no hash', `$a$m=1$${salt}$`],
  ['no parameters', `$a$$${salt}$${hash}`],
  ['more parts than it has', `$a$m=1$${salt}$${hash}$${hash}`],
  ['an endless hash', `$a$m=1$${salt}$${'A'.repeat(1_000)}`],
] as const) {
  test(`a text with ${what} is no hash`, () => assert.equal(parsePhc(text), null))
}

test('each hash has one text, which reads back as the same', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((array) => Buffer.from(array))
  const number = fc.maxSafeNat()
  const pair = fc.tuple(fc.constantFrom('m', 'ln', 'p'), number)
  const phc = fc.record(
    {
      id: fc.constantFrom('argon2id', 'scrypt', 'x-1'),
      version: fc.option(number),
      parameters: fc.array(pair, { minLength: 1, maxLength: 4 }),
      salt: bytes,
      hash: bytes,
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(phc, (value) => {
      assert.deepEqual(parsePhc(formatPhc(value)), value)
    }),
  )
})

test('whatever is accepted is formatted the same way again', () => {
  const piece = fc.constantFrom('$', 'a', 'm=1', 'v=19', ',', 'AAAA', 'AB', 'c29t', '=', '0', 't=2')
  const soup = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.oneof(soup, fc.string()), (text) => {
      const parsed = parsePhc(text)
      if (parsed !== null) assert.equal(formatPhc(parsed), text)
    }),
  )
})
