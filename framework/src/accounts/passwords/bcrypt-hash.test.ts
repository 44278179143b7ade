import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { hashSync } from 'bcryptjs'
import { parseBcrypt, BcryptThread } from './bcrypt-hash.ts'
import type { BcryptHash } from './bcrypt-hash.ts'
import { HashingQueue } from './hashing-queue.ts'

const thread = new BcryptThread(new HashingQueue({ slots: 1, wait: 30, waiting: 100 }))

function parsed(text: string): BcryptHash {
  const hash = parseBcrypt(text)
  assert.ok(hash !== null, text)
  return hash
}

test('hashes of other programs are verified, whichever version letter they have', async () => {
  // Published by the makers of bcrypt implementations.
  const hash = parsed('$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW')
  assert.equal(await thread.verify('U*U', hash), true)
  assert.equal(await thread.verify('U*V', hash), false)
  const ours = hashSync('open the door', 4)
  for (const letter of ['a', 'b', 'y']) {
    const text = ours.replace(/^\$2./, `$2${letter}`)
    assert.equal(await thread.verify('open the door', parsed(text)), true)
  }
})

test('like any bcrypt, it uses only the first 72 bytes of a password', async () => {
  const long = 'é'.repeat(36)
  const hash = parsed(hashSync(long, 4))
  assert.equal(await thread.verify(`${long}more`, hash), true)
  assert.equal(await thread.verify(`${long.slice(0, -1)}e`, hash), false)
})

test('a password with a NUL is never verified: bcrypt would stop there', async () => {
  assert.equal(await thread.verify('open\0door', parsed(hashSync('open', 4))), false)
  assert.equal(await thread.verify('open\0door', parsed(hashSync('open\0door', 4))), false)
})

test('concurrent requests each get their own response', async () => {
  const hashes = Array.from({ length: 8 }, (_, at) => parsed(hashSync(`password ${at}`, 4)))
  const right = hashes.map((hash, at) => thread.verify(`password ${at}`, hash))
  const wrong = hashes.map((hash, at) => thread.verify(`password ${at + 1}`, hash))
  assert.deepEqual(await Promise.all(right), Array(8).fill(true))
  assert.deepEqual(await Promise.all(wrong), Array(8).fill(false))
})

test('a thread that crashes fails its request, and the next request starts another thread', async () => {
  const broken: BcryptHash = { kind: 'bcrypt', text: `$2q$05$${'C'.repeat(53)}` }
  await assert.rejects(thread.verify('open', broken), /Invalid salt/)
  assert.equal(await thread.verify('open', parsed(hashSync('open', 4))), true)
})

test('the event loop goes on while bcrypt is computed', async () => {
  const hash = parsed(hashSync('open', 10))
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await thread.verify('open', hash)
  clearInterval(timer)
  assert.ok(turns >= 5, `${turns} turns`)
})

for (const [what, text] of [
  ['a cost of fifteen', '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['a cost of three', '$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['an unknown letter', '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['no letter', '$2$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['a character too few', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe'],
  ['a line break at its end', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\n'],
] as const) {
  test(`a bcrypt hash with ${what} is refused`, () => assert.equal(parseBcrypt(text), null))
}

test('the thread keeps a process alive while it works, and not afterwards', () => {
  const file = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
  const script = `
    const { BcryptThread } = await import(${file('./bcrypt-hash.ts')})
    const { HashingQueue } = await import(${file('./hashing-queue.ts')})
    const thread = new BcryptThread(new HashingQueue({ slots: 1, wait: 30, waiting: 1 }))
    const text = ${JSON.stringify(hashSync('open', 8))}
    await thread.verify('open', { kind: 'bcrypt', text })
    await new Promise((resolve) => setTimeout(resolve, 1))
    console.log(await thread.verify('open', { kind: 'bcrypt', text }))`
  const flags = ['--conditions=source', '--input-type=module', '--eval', script]
  const { stdout, stderr, status } = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    timeout: 280_000,
  })
  assert.deepEqual([stdout, stderr, status], ['true\n', '', 0])
})
