import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { matchesScrypt, parseScrypt } from './scrypt-hash.ts'

const salt = Buffer.alloc(16, 7)

function text(ln: number, r: number, p: number, key: Buffer = Buffer.alloc(32)): string {
  const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`
}

test('a scrypt hash is verified', async () => {
  const key = scryptSync('open the door', salt, 32, { N: 1024, r: 8, p: 2 })
  const hash = parseScrypt(text(10, 8, 2, key))
  assert.ok(hash !== null)
  assert.equal(await matchesScrypt(Buffer.from('open the door'), hash), true)
  assert.equal(await matchesScrypt(Buffer.from('open the doors'), hash), false)
})

test('costs that need more memory than the default limit of Node are supported', async () => {
  const key = scryptSync('open', salt, 64, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 28 })
  const hash = parseScrypt(text(16, 8, 1, key))
  assert.ok(hash !== null)
  assert.equal(await matchesScrypt(Buffer.from('open'), hash), true)
})

test('the usual recommendations are accepted', () => {
  for (const [ln, r, p] of [
    [17, 8, 1],
    [16, 8, 2],
    [15, 8, 3],
    [14, 8, 5],
    [13, 8, 10],
    [18, 8, 1],
  ] as const) {
    assert.ok(parseScrypt(text(ln, r, p)) !== null, `${ln} ${r} ${p}`)
  }
})

for (const [what, hash] of [
  ['more memory than 256 MiB', text(19, 8, 1)],
  ['more work than four times the usual', text(17, 8, 5)],
  ['a number of blocks beyond all bounds', text(4_000, 1, 1)],
  ['no blocks', text(0, 8, 1)],
  ['blocks of no size', text(10, 0, 1)],
  ['no lanes', text(10, 8, 0)],
  ['a version', text(10, 8, 1).replace('$scrypt', '$scrypt$v=1')],
  ['its costs in another order', text(10, 8, 1).replace('ln=10,r=8', 'r=8,ln=10')],
  ['a key of eight bytes', text(10, 8, 1, Buffer.alloc(8))],
] as const) {
  test(`a scrypt hash with ${what} is refused`, () => assert.equal(parseScrypt(hash), null))
}
