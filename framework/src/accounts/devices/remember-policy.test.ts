import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { checkedPolicy, rememberLine, rememberPolicy } from './remember-policy.ts'
import { Remember } from './remember.ts'

const standard = {
  name: 'remember',
  lifetime: 2_592_000,
  path: '/',
  domain: '',
  secure: true,
  httpOnly: true,
  sameSite: 'Lax',
} as const

/** Puts the shared policy back after the test. */
function keepPolicy(t: TestContext): void {
  const { policy } = Remember
  t.after(() => {
    Remember.policy = policy
  })
}

test('the policy of the framework is frozen', () => {
  assert.deepEqual(Remember.policy, standard)
  assert.deepEqual(rememberPolicy(), standard)
  assert.equal(Object.isFrozen(Remember.policy), true)
  assert.equal(Remember.lifetime, 2_592_000)
})

test('it is replaced whole, and the lifetime reads through to it', (t) => {
  keepPolicy(t)
  const mine = { ...standard, name: '__Host-remember', lifetime: 60 }
  Remember.policy = mine
  mine.lifetime = 1
  assert.deepEqual([Remember.policy.name, Remember.lifetime], ['__Host-remember', 60])
  assert.equal(Object.isFrozen(Remember.policy), true)
})

test('a weaker policy is refused, and the one before stays', (t) => {
  keepPolicy(t)
  const weaker: readonly object[] = [
    { secure: false },
    { httpOnly: false },
    { sameSite: 'None' },
    { sameSite: 'lax' },
    { secure: undefined },
  ]
  for (const flags of weaker) {
    const policy = Object.assign({ ...standard }, flags)
    assert.throws(() => checkedPolicy(policy), { code: 'E_COOKIE' }, JSON.stringify(flags))
    assert.throws(() => (Remember.policy = policy), { code: 'E_COOKIE' })
  }
  assert.deepEqual(Remember.policy, standard)
  // @ts-expect-error nor does it compile
  assert.throws(() => checkedPolicy({ ...standard, secure: false }))
})

test('what no cookie can be is refused', () => {
  for (const options of [
    { name: '' },
    { name: 'a b' },
    { name: 'a;b' },
    { path: '/;' },
    { domain: 'a\r\n' },
    { lifetime: 0 },
    { lifetime: 1.5 },
    { lifetime: Number.NaN },
  ]) {
    assert.throws(() => rememberPolicy(options), { code: 'E_COOKIE' }, JSON.stringify(options))
  }
})

test('a __Host- name forces the whole site and no domain', (t) => {
  keepPolicy(t)
  const given = { name: '__Host-remember', path: '/app', domain: 'example.com' }
  Remember.policy = { ...standard, ...given }
  for (const policy of [rememberPolicy(given), Remember.policy]) {
    assert.deepEqual(policy, { ...standard, name: '__Host-remember' })
    assert.equal(Object.isFrozen(policy), true)
  }
})

test('path and domain are a matter of the project', () => {
  const policy = rememberPolicy({ path: '/app', domain: 'example.com' })
  assert.equal(
    rememberLine(policy, 'a.b', 60),
    'remember=a.b; Max-Age=60; Domain=example.com; Path=/app; Secure; HttpOnly; SameSite=Lax',
  )
})
