import assert from 'node:assert/strict'
import { argon2Sync, randomBytes, scryptSync } from 'node:crypto'
import type { Argon2Algorithm, Argon2Parameters } from 'node:crypto'
import { test } from 'node:test'
import { hashSync } from 'bcryptjs'
import * as fc from 'fast-check'
import { InvalidArgumentException, OverloadedError } from '../../base/errors.ts'
import { deriveArgon2, formatArgon2 } from './argon2-hash.ts'
import type { Argon2Cost } from './argon2-hash.ts'
import { Password, passwordBytes } from './password.ts'
import type { PasswordOptions } from './password.ts'

const current: Argon2Cost = { memory: 19_456, time: 2, parallelism: 1 }
const shared = new Password({ wait: 60 })

/** A password hasher that records what was really computed. */
function counting(options: PasswordOptions = {}): {
  password: Password
  computed: [Argon2Algorithm, Argon2Parameters][]
  currents: () => number
} {
  const computed: [Argon2Algorithm, Argon2Parameters][] = []
  const password = new Password({
    wait: 60,
    ...options,
    derive: (algorithm, parameters) => {
      computed.push([algorithm, parameters])
      return deriveArgon2(algorithm, parameters)
    },
  })
  const currents = (): number => computed.filter(([name, cost]) => isCurrent(name, cost)).length
  return { password, computed, currents }
}

function isCurrent(algorithm: Argon2Algorithm, parameters: Argon2Parameters): boolean {
  const { memory, passes, parallelism } = parameters
  return algorithm === 'argon2id' && `${memory} ${passes} ${parallelism}` === '19456 2 1'
}

/** A stored argon2 hash of any kind and cost. */
function argon2Text(
  message: string,
  cost: Argon2Cost,
  { algorithm = 'argon2id', saltLength = 16, tagLength = 32 }: Partial<Kind> = {},
): string {
  const salt = randomBytes(saltLength)
  const { memory, time: passes, parallelism } = cost
  const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength }
  const tag = argon2Sync(algorithm, parameters)
  return formatArgon2({ kind: 'argon2', algorithm, ...cost, salt, tag })
}

interface Kind {
  readonly algorithm: Argon2Algorithm
  readonly saltLength: number
  readonly tagLength: number
}

function scryptText(message: string): string {
  const salt = randomBytes(16)
  const key = scryptSync(message, salt, 32, { N: 1024, r: 8, p: 1 })
  const [saltText, keyText] = [salt, key].map((bytes) =>
    bytes.toString('base64').replace(/=+$/, ''),
  )
  return `$scrypt$ln=10,r=8,p=1$${saltText}$${keyText}`
}

const right = 'tin lamp under eleven roofs'
const cheap: Argon2Cost = { memory: 1_024, time: 1, parallelism: 1 }
const legacy: Readonly<Record<string, string>> = {
  bcrypt: hashSync(right, 4),
  scrypt: scryptText(right),
  'cheaper argon2id': argon2Text(right, cheap),
  'costlier argon2id': argon2Text(right, { memory: 20_480, time: 3, parallelism: 2 }),
  argon2i: argon2Text(right, cheap, { algorithm: 'argon2i' }),
  argon2d: argon2Text(right, cheap, { algorithm: 'argon2d' }),
}

test('a hash is an argon2id PHC string with the default costs, a salt of 16 and a tag of 32 bytes', async () => {
  const hash = await shared.hash(right)
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.ok(shared.conforms(hash))
  assert.notEqual(await shared.hash(right), hash)
})

test('the right password is valid, a wrong one is not, and there is no new hash to store', async () => {
  const hash = await shared.hash(right)
  assert.deepEqual(await shared.inspect(right, hash), { valid: true, hash: null })
  assert.deepEqual(await shared.inspect(`${right}.`, hash), { valid: false, hash: null })
})

test('an empty password, one above 1,024 bytes and one with an invalid character are never hashed', async () => {
  const { password, computed } = counting()
  for (const text of ['', 'x'.repeat(1_025), 'é'.repeat(513), 'x\ud800']) {
    await assert.rejects(password.hash(text), (error) => {
      assert.ok(error instanceof InvalidArgumentException)
      assert.ok(text === '' || !error.message.includes(text))
      return true
    })
  }
  assert.equal(computed.length, 0)
})

test('1,024 bytes are hashed whole: the last one counts', async () => {
  const long = 'x'.repeat(1_023)
  const hash = await shared.hash(`${long}a`)
  assert.equal((await shared.inspect(`${long}a`, hash)).valid, true)
  assert.equal((await shared.inspect(`${long}b`, hash)).valid, false)
})

test('a password typed on another keyboard is the same password', async () => {
  const hash = await shared.hash('schl\u00fcssel')
  assert.equal((await shared.inspect('schlu\u0308ssel', hash)).valid, true)
})

for (const [kind, stored] of Object.entries(legacy)) {
  test(`a hash by ${kind} verifies and is replaced by a current one`, async () => {
    assert.equal(shared.conforms(stored), false)
    const { valid, hash } = await shared.inspect(right, stored)
    assert.equal(valid, true)
    assert.ok(hash !== null && shared.conforms(hash))
    assert.deepEqual(await shared.inspect(right, hash), { valid: true, hash: null })
  })

  test(`a hash by ${kind} and a wrong password are invalid, and nothing is to be stored`, async () => {
    assert.deepEqual(await shared.inspect(`${right}.`, stored), { valid: false, hash: null })
  })
}

test('a bcrypt hash of a password above 72 bytes is replaced by one of the whole password', async () => {
  const long = 'x'.repeat(80)
  const { hash } = await shared.inspect(long, hashSync(long, 4))
  assert.ok(hash !== null)
  assert.equal((await shared.inspect(long, hash)).valid, true)
  assert.equal((await shared.inspect('x'.repeat(72), hash)).valid, false)
})

test('a hash of another system is compared with the text as typed', async () => {
  const typed = 'schlu\u0308ssel'
  for (const stored of [hashSync(typed, 4), scryptText(typed)]) {
    assert.equal((await shared.inspect(typed, stored)).valid, true)
  }
  const before = argon2Text(typed.normalize('NFC'), cheap)
  assert.equal((await shared.inspect(typed, before)).valid, true)
})

test('whatever is stored, an inspection computes exactly one hash of the current cost', async () => {
  const stored: Record<string, string | null> = {
    ...legacy,
    nothing: null,
    'an empty text': '',
    'no hash at all': 'secret',
    'a conforming hash': await shared.hash(right),
    'a conforming hash of other lengths': argon2Text(right, current, {
      saltLength: 8,
      tagLength: 16,
    }),
    'a hash with a stray character': `${await shared.hash(right)}=`,
    'a hash that costs too much memory': argon2Text(right, current).replace('m=19456', 'm=262145'),
    'a hash that costs too much time': argon2Text(right, current).replace('t=2', 't=11'),
    'bcrypt of an unbearable cost': `$2b$31$${'a'.repeat(53)}`,
    'scrypt of an unbearable cost': scryptText(right).replace('ln=10', 'ln=30'),
  }
  const oddly = new Set(['nothing', 'a conforming hash', 'bcrypt'])
  const odd = ['', 'x'.repeat(2_000), 'with \0 inside', 'half a pair \ud800']
  for (const [what, hash] of Object.entries(stored)) {
    for (const typed of [right, 'wrong', ...(oddly.has(what) ? odd : [])]) {
      const { password, currents } = counting()
      await password.inspect(typed, hash)
      assert.equal(currents(), 1, `${what}, ${typed.slice(0, 20)}`)
    }
  }
})

test('nothing but the one hash is computed when there is no account', async () => {
  const { password, computed } = counting()
  assert.deepEqual(await password.inspect(right, null), { valid: false, hash: null })
  assert.equal(computed.length, 1)
})

test('a password above 1,024 bytes is invalid, and the decoy is hashed instead', async () => {
  const { password, computed } = counting()
  const long = 'x'.repeat(5_000)
  assert.deepEqual(await password.inspect(long, null), { valid: false, hash: null })
  const [, parameters] = computed[0] ?? []
  assert.ok(Buffer.isBuffer(parameters?.message) && parameters.message.length < 100)
})

test('a stored hash that costs too much is rejected without being computed', async () => {
  const { password, computed } = counting()
  const costly = argon2Text(right, current).replace('m=19456', 'm=262145')
  assert.deepEqual(await password.inspect(right, costly), { valid: false, hash: null })
  assert.deepEqual(
    computed.map(([, { memory }]) => memory),
    [19_456],
  )
})

test('creating a hasher computes nothing', () => {
  assert.equal(counting().computed.length, 0)
})

test('a hasher with higher costs treats older hashes as legacy and replaces them', async () => {
  const before = await shared.hash(right)
  const { password, computed } = counting({ memory: 20_480, time: 3 })
  assert.equal(password.conforms(before), false)
  const { valid, hash } = await password.inspect(right, before)
  assert.equal(valid, true)
  assert.match(hash ?? '', /^\$argon2id\$v=19\$m=20480,t=3,p=1\$/)
  assert.deepEqual(
    computed.map(([, { memory }]) => memory).toSorted((a, b) => a - b),
    [19_456, 20_480],
  )
})

for (const options of [
  { memory: 19_455 },
  { time: 1 },
  { parallelism: 0 },
  { memory: 262_145 },
  { time: 11 },
  { parallelism: 17 },
  { memory: 20_000.5 },
  { memory: NaN },
  { wait: 0 },
  { wait: Infinity },
  { waiting: -1 },
  { slots: 0 },
]) {
  const [option = ''] = Object.keys(options)
  test(`the option ${option} is refused as ${Object.values(options)[0]}`, () => {
    assert.throws(() => new Password(options), {
      name: 'InvalidArgumentException',
      message: new RegExp(`"${option}" must be`),
    })
  })
}

test('no more hashes than there are slots are computed at once', async () => {
  let running = 0
  let most = 0
  const password = new Password({
    slots: 2,
    wait: 60,
    derive: async (algorithm, parameters) => {
      running += 1
      most = Math.max(most, running)
      const tag = await deriveArgon2(algorithm, parameters)
      running -= 1
      return tag
    },
  })
  await Promise.all(Array.from({ length: 8 }, () => password.inspect(right, null)))
  assert.equal(most, 2)
})

test('when hashing takes too long the check is rejected, with or without an account', async () => {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const password = new Password({ slots: 1, wait: 0.01, derive: () => promise })
  const first = password.hash(right)
  const stored = argon2Text(right, current)
  for (const hash of [null, stored, legacy['scrypt'] ?? null]) {
    await assert.rejects(password.inspect(right, hash), OverloadedError)
  }
  await assert.rejects(password.hash(right), OverloadedError)
  resolve(Buffer.alloc(32))
  await first
})

test('every password is valid against its own hash, and no other is', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, text, async (password, other) => {
      const hash = await shared.hash(password)
      assert.deepEqual(await shared.inspect(password, hash), { valid: true, hash: null })
      const same = password.normalize('NFC') === other.normalize('NFC')
      assert.equal((await shared.inspect(other, hash)).valid, same)
    }),
    { numRuns: 10 },
  )
})

test('a hash in which a single character was changed is never valid', async () => {
  const hash = await shared.hash(right)
  const place = fc.nat({ max: hash.length - 1 })
  const letter = fc.constantFrom(...'$=,+/09azAZvmtp'.split(''))
  await fc.assert(
    fc.asyncProperty(place, letter, async (at, replacement) => {
      fc.pre(hash[at] !== replacement)
      const changed = hash.slice(0, at) + replacement + hash.slice(at + 1)
      assert.deepEqual(await shared.inspect(right, changed), { valid: false, hash: null })
    }),
    { numRuns: 25 },
  )
})

test('no stored text makes an inspection throw or succeed', async () => {
  // Some texts are real hashes by accident, with real costs, so nothing is computed.
  const password = new Password({ wait: 60, derive: () => Promise.resolve(Buffer.alloc(32)) })
  const piece = fc.constantFrom('$', '$argon2id', '$v=19', '$m=19456,t=2,p=1', '$scrypt', 'AAAA')
  const soup = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 }))).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.oneof(soup, fc.string({ unit: 'binary' })), async (stored) => {
      assert.equal((await password.inspect(right, stored)).valid, false)
      assert.equal(password.conforms(stored), false)
    }),
    { numRuns: 300 },
  )
})

test('the same text has the same bytes, however a keyboard composes it', () => {
  assert.deepEqual(passwordBytes('a\u0308'), passwordBytes('\u00e4'))
})

test('characters that merely look alike stay distinct', () => {
  assert.notDeepEqual(passwordBytes('x²'), passwordBytes('x2'))
  assert.notDeepEqual(passwordBytes('ｆ'), passwordBytes('f'))
})

test('a password has 1 to 1,024 bytes; a longer one is rejected, not truncated', () => {
  assert.equal(passwordBytes(''), null)
  assert.equal(passwordBytes('a')?.length, 1)
  assert.equal(passwordBytes('a'.repeat(1_024))?.length, 1_024)
  assert.equal(passwordBytes('a'.repeat(1_025)), null)
  assert.equal(passwordBytes('é'.repeat(512))?.length, 1_024)
  assert.equal(passwordBytes('é'.repeat(513)), null)
})

test('a text whose normal form is too long is refused, too', () => {
  // Three times as many bytes once it is taken apart, which is its normal form.
  assert.equal(passwordBytes('\u{1d160}'.repeat(200)), null)
})

test('half a surrogate pair is refused: all of them would have the same bytes', () => {
  assert.equal(passwordBytes('\ud800'), null)
  assert.equal(passwordBytes('😀')?.length, 4)
})

test('spaces and control characters are kept', () => {
  assert.equal(passwordBytes(' a\0b ')?.toString('latin1'), ' a\0b ')
})
