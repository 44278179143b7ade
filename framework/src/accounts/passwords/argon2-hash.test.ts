import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveArgon2, formatArgon2, matchesArgon2, parseArgon2 } from './argon2-hash.ts'

const salt = Buffer.alloc(16, 1).toString('base64').replace(/=+$/, '')
const tag = Buffer.alloc(32, 2).toString('base64').replace(/=+$/, '')

function withCosts(memory: number, time: number, parallelism: number): string {
  return `$argon2id$v=19$m=${memory},t=${time},p=${parallelism}$${salt}$${tag}`
}

test('a hash reads back as it was written', () => {
  const text = withCosts(19_456, 2, 1)
  const hash = parseArgon2(text)
  assert.ok(hash !== null)
  assert.deepEqual(
    [hash.algorithm, hash.memory, hash.time, hash.parallelism],
    ['argon2id', 19_456, 2, 1],
  )
  assert.equal(formatArgon2(hash), text)
})

test('the three kinds of Argon2 are known, and no other', () => {
  for (const id of ['argon2id', 'argon2i', 'argon2d']) {
    assert.equal(parseArgon2(withCosts(64, 1, 1).replace('argon2id', id))?.algorithm, id)
  }
  assert.equal(parseArgon2(withCosts(64, 1, 1).replace('argon2id', 'argon2')), null)
})

for (const [what, text] of [
  ['an older version', withCosts(64, 1, 1).replace('v=19', 'v=16')],
  ['no version', withCosts(64, 1, 1).replace('$v=19', '')],
  ['its costs in another order', withCosts(8, 9, 1).replace('m=8,t=9', 't=9,m=8')],
  ['a cost too many', withCosts(64, 1, 1).replace('p=1', 'p=1,x=1')],
  ['a cost too few', withCosts(64, 1, 1).replace(',p=1', '')],
  ['more memory than 262,144 KiB', withCosts(262_145, 1, 1)],
  ['more passes than ten', withCosts(64, 11, 1)],
  ['more lanes than sixteen', withCosts(4_096, 1, 17)],
  ['less memory than its lanes need', withCosts(7, 1, 1)],
  ['no pass', withCosts(64, 0, 1)],
  ['no lane', withCosts(64, 1, 0)],
  ['a salt of seven bytes', withCosts(64, 1, 1).replace(salt, 'AAAAAAAAAA')],
  ['a tag of four bytes', withCosts(64, 1, 1).replace(tag, 'AAAAAA')],
] as const) {
  test(`a hash with ${what} is refused`, () => assert.equal(parseArgon2(text), null))
}

test('values just within the bounds are accepted', () => {
  assert.ok(parseArgon2(withCosts(262_144, 10, 16)) !== null)
  assert.ok(parseArgon2(withCosts(128, 1, 16)) !== null)
})

test('a hash of the reference implementation is verified', async () => {
  // The example of the command line tool: password "password", salt "somesalt".
  const text =
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  const hash = parseArgon2(text)
  assert.ok(hash !== null)
  assert.equal(await matchesArgon2(Buffer.from('password'), hash, deriveArgon2), true)
  assert.equal(await matchesArgon2(Buffer.from('passwore'), hash, deriveArgon2), false)
})
