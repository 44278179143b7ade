import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { effectiveTable } from './effective-table.ts'
import { keyScope } from './key-settings.ts'
import { readScopes } from './scope.ts'
import type { KeyValues } from './key-settings.ts'
import { Environments } from './environments.ts'
import { applicationKey } from './application-key.ts'

const none: KeyValues = { current: null, previous: [] }
const plain = Buffer.from('a link')

function newRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'application-key-'))
  t.after(() => rmSync(root, { recursive: true }))
  return root
}

function values(texts: Readonly<Record<string, string>>): KeyValues {
  const environment = Environments.Production
  const lookup = (name: string) => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: 'the environment' }
  }
  return readScopes({ key: keyScope }, { environment, lookup }).key
}

test('in development and test a key is generated once and stored so that only its owner can read it', (t) => {
  for (const environment of [Environments.Development, Environments.Test]) {
    const root = newRoot(t)
    const umask = process.umask(0)
    const sealed = applicationKey(none, { root, environment }).encrypter('x').encrypt(plain, '')
    process.umask(umask)
    const file = join(root, 'storage', 'app.key')
    assert.match(readFileSync(file, 'utf8'), /^[0-9a-f]{64}\n$/)
    assert.equal(statSync(join(root, 'storage')).mode & 0o777, 0o700)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    chmodSync(file, 0o644)
    assert.deepEqual(readdirSync(join(root, 'storage')), ['app.key'])
    const again = applicationKey(none, { root, environment })
    assert.deepEqual(again.encrypter('x').decrypt(sealed, ''), plain)
    assert.equal(statSync(file).mode & 0o777, 0o600, 'a file from before')
  }
})

test('a stored file without a valid key is an error, and is not replaced', (t) => {
  const root = newRoot(t)
  applicationKey(none, { root, environment: Environments.Test })
  const file = join(root, 'storage', 'app.key')
  writeFileSync(file, 'half a k')
  assert.throws(() => applicationKey(none, { root, environment: Environments.Test }), {
    code: 'E_APP_KEY',
    message: /app\.key does not contain a key of 32 bytes; restore it, or remove it/,
  })
  assert.equal(readFileSync(file, 'utf8'), 'half a k')
})

test('elsewhere a key is required, and the error says how to generate one', (t) => {
  const root = newRoot(t)
  for (const environment of [Environments.Production, Environments.Staging]) {
    assert.throws(() => applicationKey(none, { root, environment }), {
      code: 'E_APP_KEY',
      message: new RegExp(
        `^APP_KEY is not set in the ${environment} environment; .*openssl rand -hex 32`,
      ),
    })
  }
  assert.deepEqual(readdirSync(root), [])
})

test('a weak key is rejected in production and accepted in development', (t) => {
  const root = newRoot(t)
  const weak = values({ APP_KEY: '00'.repeat(32) })
  assert.throws(() => applicationKey(weak, { root, environment: Environments.Production }), {
    code: 'E_APP_KEY',
    message: /^APP_KEY is easy to guess: it repeats a few bytes; /,
  })
  applicationKey(weak, { root, environment: Environments.Development })
})

test('APP_PREVIOUS_KEYS decrypt what they encrypted, the current key encrypts', () => {
  const place = { root: '/nowhere', environment: Environments.Production }
  const [old, fresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')]
  const before = applicationKey(values({ APP_KEY: old }), place)
  const sealed = before.encrypter('queue').encrypt(plain, '')
  const rotated = values({ APP_KEY: fresh, APP_PREVIOUS_KEYS: ` ${old}, ` })
  const after = applicationKey(rotated, place)
  assert.deepEqual(after.encrypter('queue').decrypt(sealed, ''), plain)
  const later = after.encrypter('queue').encrypt(plain, '')
  assert.throws(() => before.encrypter('queue').decrypt(later, ''), { code: 'E_DECRYPT' })
  assert.ok(!before.derive('cursors').equals(after.derive('cursors')))
})

test('an invalid key is rejected without being repeated', () => {
  for (const name of ['APP_KEY', 'APP_PREVIOUS_KEYS']) {
    assert.throws(
      () => values({ [name]: 'hunter2hunter2' }),
      (error: Error) => {
        assert.match(error.message, new RegExp(`${name} .* must be .*32 bytes`))
        return !error.message.includes('hunter2')
      },
    )
  }
})

test('a key never shows itself', () => {
  const bytes = randomBytes(32)
  const current = createSecretKey(bytes)
  const place = { root: '/nowhere', environment: Environments.Production }
  const key = applicationKey({ current, previous: [current] }, place)
  const told = `${inspect(key, { depth: 9, showHidden: true })} ${JSON.stringify(key)}`
  for (const form of ['hex', 'base64', 'latin1'] as const) {
    assert.ok(!told.includes(bytes.toString(form)))
  }
})

test('the table of settings shows that there is a key, but not the key', () => {
  const hex = randomBytes(32).toString('hex')
  const lookup = (name: string) => (name === 'APP_KEY' ? { text: hex, origin: '.env' } : null)
  const rows = effectiveTable([keyScope], { environment: 'production', lookup })
  assert.deepEqual(
    rows.map(({ variable, value, origin }) => [variable, value, origin]),
    [
      ['APP_KEY', '********', '.env'],
      ['APP_PREVIOUS_KEYS', '', 'default'],
    ],
  )
})
