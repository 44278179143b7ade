import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findIdentityWriters } from './identity-writers.ts'
import { plantTree } from './planted-tree.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Everything that stores an account in a session, or says who a request is of, and why it may. */
const known: Readonly<Record<string, string>> = {
  'accounts/sign-in/sign-in-gate.ts: request.session.set(entry.key, identity.id)':
    'the one place where an account gets into a session',
  'accounts/sign-in/sign-in-gate.ts: request.identity = identity': 'the same, for this request',
  'accounts/sign-in/sign-in-gate.ts: session.set(SessionKeys.Pending, { id: user, ...pending })':
    'only the gate calls it',
  'accounts/guards/bearer.ts: request.identity = identity':
    'the account of an API token, for this request; it has no session',
  'accounts/devices/remember.ts: new SignInGate()':
    'the default of a project without factors; it refuses accounts that have some',
  'testing/acting-as.ts: new SignInGate()':
    'actingAs of a project under test, whose route exists in the environment test only',
  'accounts/guards/intended.ts: request.session.set(key, request.URI)':
    'the page that was asked for, by a key whose type is none of an account',
  'accounts/guards/session-guard.ts: request.identity = identity':
    'the account that the gate has stored in the session',
}

test('nothing but the gate signs anybody in', () => {
  const found = findIdentityWriters(join(root, 'framework', 'src'))
  assert.deepEqual(found.toSorted(), Object.keys(known).toSorted())
})

test('the demo, from which projects are made, and the examples leave it to the gate', () => {
  for (const folder of ['demo', 'examples']) {
    assert.deepEqual(findIdentityWriters(join(root, folder)), [], folder)
  }
})

for (const line of [
  `session.set('identity', user.id)`,
  `request.session.set(remember.key, user.id)`,
  `request.session.set(name, user.id)`,
  `const { session: kept } = request; kept.set(this.#key, user.id)`,
  `session.set('pending', { id: user.id })`,
  `session.set(SessionKeys.Pending, { id: user.id })`,
  `request.identity = user`,
  'const gate = new SignInGate()',
]) {
  test(`a way around the gate is found: ${line}`, (t) => {
    const folder = plantTree(t, { 'web/way.ts': line })
    const found = findIdentityWriters(folder)
    assert.equal(found.length, 1)
    assert.ok(found[0]?.startsWith('web/way.ts: '))
  })
}

test('other values of a session, maps and tests are allowed', (t) => {
  const folder = plantTree(t, {
    'web/a.ts': [
      `session.set('note', 1)`,
      'session.set(SessionKeys.Device, handle)',
      'session.set(csrfKey, token)',
      'cookies.set(name, value)',
      'request.identity = null',
      'const same = request.identity === user',
    ].join('\n'),
    'web/a.test.ts': `session.set('identity', '1')`,
  })
  assert.deepEqual(findIdentityWriters(folder), [])
})
