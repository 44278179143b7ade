import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'

import { isSecretKey, redact } from './redact.ts'

const secretKeys = words(`
  password user_password newPassword PASSWD secret client-secret clientSecret token _token
  accessToken X-CSRF-Token csrf key keys api_key apiKey APIKey APIKEY apikey x-api-key key2
  privateKeyPem app.key monkeyKey Authorization proxy-authorization Cookie set-cookie credential
  awsCredentials verifier validator pass pwd licensekey passphrase X-Auth x-auth x_auth X-Auth-Token
  X-Access-Token code Code auth_code otp-code jwt id_jwt sid connect.sid session_id sessionId
`)
const openKeys = words(`
  monkey keyboard hotkey keyword turkeys name author user passed emailValidator request id constructor
  __proto__ statusCode postcode country_code encode side reside x-author session
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

test('secret keys are recognised in every spelling, similar words are not', () => {
  for (const key of secretKeys) assert.equal(isSecretKey(key), true, key)
  for (const key of openKeys) assert.equal(isSecretKey(key), false, key)
})

test('values under secret keys are replaced at every depth, whatever they are', () => {
  assert.deepEqual(
    redact({
      user: 'ada',
      password: 'x',
      nested: [{ apiKey: { deep: 'x' }, monkey: 1 }],
      token: null,
      headers: new Map([
        ['authorization', 'x'],
        ['accept', '*/*'],
      ]),
    }),
    {
      user: 'ada',
      password: '[redacted]',
      nested: [{ apiKey: '[redacted]', monkey: 1 }],
      token: '[redacted]',
      headers: { authorization: '[redacted]', accept: '*/*' },
    },
  )
})

test('values after a secret key in pairs and in flat lists of headers are replaced', () => {
  assert.deepEqual(redact(['password', 'x']), ['password', '[redacted]'])
  assert.deepEqual(redact({ entries: Object.entries({ apiKey: { deep: 'x' }, user: 'ada' }) }), {
    entries: [
      ['apiKey', '[redacted]'],
      ['user', 'ada'],
    ],
  })
  assert.deepEqual(redact(new Set([['token', 'x']])), [['token', '[redacted]']])
  assert.deepEqual(
    redact(['Host', 'a', 'Cookie', 'sid=x', 'Accept', '*/*', 'Authorization', 'Bearer x']),
    ['Host', 'a', 'Cookie', '[redacted]', 'Accept', '*/*', 'Authorization', '[redacted]'],
  )
  assert.deepEqual(redact(new Headers({ authorization: 'x', accept: '*/*' })), {
    accept: '*/*',
    authorization: '[redacted]',
  })
  assert.deepEqual(redact(new URLSearchParams('token=x&page=2')), {
    token: '[redacted]',
    page: '2',
  })
})

test('a list of names, and one that holds something else, stays readable', () => {
  for (const list of [
    ['email', 'password', 'name'],
    ['name', 'password'],
    ['a sentence about a token', 'x', 'another', 'y'],
    [1, 'x'],
    ['password'],
  ]) {
    assert.deepEqual(redact(list), list)
  }
})

test('user info in URLs is masked in strings, URL objects, messages and keys', () => {
  const url = 'postgres://ada:planted@db/x'
  const value = { url, object: new URL(url), error: new Error(`at ${url}`), [url]: 1, list: [url] }
  const text = JSON.stringify(redact(value))
  assert.equal(text.includes('planted'), false)
  assert.equal(text.includes('postgres://[redacted]@db/x'), true)
})

test('the code of a sign-in is masked, that of an error or a process is shown', () => {
  for (const code of ['4/0AX4XfWh', '123456', 123456, '12', 'abc', { deep: 'x' }]) {
    assert.deepEqual(redact({ code }), { code: '[redacted]' })
  }
  for (const code of ['E_CURSOR', 'ENOENT', 'ER_DUP_ENTRY', 255, -2, null]) {
    assert.deepEqual(redact({ code, list: ['code', code] }), { code, list: ['code', code] })
  }
})

test('an error becomes class, message, code and cause', () => {
  class BrokenError extends Error {
    readonly code = 'E_BROKEN'
    readonly password = 'x'
  }
  assert.deepEqual(redact(new BrokenError('no', { cause: new TypeError('inner') })), {
    class: 'BrokenError',
    message: 'no',
    code: 'E_BROKEN',
    cause: { class: 'TypeError', message: 'inner' },
  })
})

test('values that JSON does not support become readable', () => {
  assert.deepEqual(
    redact({
      big: 12n,
      nan: Number.NaN,
      date: new Date(0),
      never: new Date(Number.NaN),
      set: new Set([1, 'a']),
      buffer: Buffer.from('abc'),
      bytes: new Uint16Array(2),
      pattern: /a/g,
      symbol: Symbol('s'),
      run: () => 1,
      money: { toJSON: () => ({ amount: 1, token: 'x' }) },
      map: new Map<unknown, unknown>([
        [1, 'one'],
        [{}, 'object'],
      ]),
    }),
    {
      big: '12',
      nan: 'NaN',
      date: '1970-01-01T00:00:00.000Z',
      never: 'Invalid Date',
      set: [1, 'a'],
      buffer: '[Buffer of 3 bytes]',
      bytes: '[binary of 4 bytes]',
      pattern: '/a/g',
      symbol: 'Symbol(s)',
      run: '[function]',
      money: { amount: 1, token: '[redacted]' },
      map: { 1: 'one', '[object]': 'object' },
    },
  )
})

test('cycles end, and a value that appears twice is not one', () => {
  const shared = { a: 1 }
  const loop: Record<string, unknown> = { first: shared, second: shared }
  loop['self'] = loop
  assert.deepEqual(redact(loop), { first: { a: 1 }, second: { a: 1 }, self: '[circular]' })
})

test('depth, width, number and length are bounded', () => {
  let deep: unknown = 'bottom'
  for (let level = 0; level < 20; level++) deep = { deep }
  assert.equal(JSON.stringify(redact(deep)).match(/deep"/g)?.length, 8)
  const wide = redact(Array.from({ length: 1_000 }, () => 1))
  assert.ok(Array.isArray(wide))
  assert.deepEqual([wide.length, wide.at(-1)], [101, '[900 more]'])
  const manyKeys = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`n${index}`, 1]))
  assert.match(JSON.stringify(redact(manyKeys)), /"…":"\[50 more\]"/)
  const bushy = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => ({ a: 1 })))
  assert.ok(JSON.stringify(redact(bushy)).length < 60_000)
  const long = Array.from({ length: 100 }, () => 'x'.repeat(100_000))
  assert.ok(JSON.stringify(redact(long)).length < 300_000)
})

test('throwing getters and proxies are handled, and secret getters are not called', () => {
  let asked = 0
  const value = {
    get broken(): never {
      throw new Error('no')
    },
    get password() {
      asked++
      return 'x'
    },
    proxy: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    ),
    json: {
      toJSON: () => {
        throw new Error('no')
      },
    },
    fine: 1,
  }
  assert.deepEqual(redact(value), {
    broken: '[unreadable]',
    password: '[redacted]',
    proxy: '[unreadable]',
    json: '[unreadable]',
    fine: 1,
  })
  assert.equal(asked, 0)
})

test('the input is not changed, and a key __proto__ stays a key', () => {
  const input: unknown = JSON.parse('{"__proto__":{"token":"x"},"a":[1,{"password":"p"}]}')
  const before = JSON.stringify(input)
  const output = redact(input)
  assert.equal(JSON.stringify(input), before)
  assert.equal(
    JSON.stringify(output),
    '{"__proto__":{"token":"[redacted]"},"a":[1,{"password":"[redacted]"}]}',
  )
  assert.ok(typeof output === 'object')
  assert.equal(Object.getPrototypeOf(output), Object.prototype)
})

test('a planted value under a secret key never comes out, wherever and in whatever it is planted', () => {
  const planted = 'pl4nted-value'
  const anything = fc.anything({ withDate: true, withMap: true, withSet: true, withBigInt: true })
  const secret = fc.constantFrom(...secretKeys)
  const payload = fc.constantFrom<unknown>(planted, { a: [planted] }, [planted], new Set([planted]))
  const hidden = fc.oneof(
    fc.tuple(secret, payload, anything).map(([key, value, other]) => ({ other, [key]: value })),
    fc.tuple(secret, payload).map(([key, value]) => new Map([[key, value]])),
    fc.tuple(secret, payload),
    fc.tuple(anything, secret, payload).map(([other, key, value]) => [
      ['other', other],
      [key, value],
    ]),
    secret.map((key) => ['accept', '*/*', key, planted]),
    secret.map((key) => new Headers([[key, planted]])),
  )
  const wrapped = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      hidden,
      fc.tuple(fc.string(), tie('node'), anything).map(([key, node, x]) => ({ [key]: node, x })),
      fc.tuple(anything, tie('node')).map((list) => list),
      fc.tuple(anything, tie('node')).map(([key, node]) => new Map([[key, node]])),
      tie('node').map((cause) => new Error('outer', { cause })),
      tie('node').map((node) => ({ toJSON: () => node })),
    ),
  })).node
  fc.assert(
    fc.property(wrapped, (value) => {
      assert.equal(JSON.stringify(redact(value))?.includes(planted) ?? false, false)
    }),
    { numRuns: 500 },
  )
})

test('anything at all is copied without an error and can be written as JSON', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withTypedArray: true,
    withSparseArray: true,
  })
  fc.assert(
    fc.property(anything, (value) => {
      JSON.stringify(redact(value))
    }),
    { numRuns: 500 },
  )
})
