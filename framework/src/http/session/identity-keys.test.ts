import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityOf, IdentityKeys } from './identity-keys.ts'

const refused = { name: 'ConfigurationError', code: 'E_SESSION_INDEX' }

test('without guards the account key is `identity`', () => {
  const keys = new IdentityKeys(undefined)
  assert.equal(keys.find({ identity: '7', member: '8' }), '7')
  assert.equal(keys.find({ identity: { id: 7 } }), '7')
  assert.equal(keys.find({ member: '8' }), null)
})

test('the keys of guards are followed, and the one that was claimed comes first', () => {
  const keys = new IdentityKeys(undefined)
  keys.claim('member')
  keys.claim('member')
  keys.follow('staff')
  keys.follow('staff')
  assert.equal(keys.find({ identity: '1', staff: '2', member: '3' }), '3')
  assert.equal(keys.find({ identity: '1', staff: '2' }), '2')
  assert.equal(keys.find({ identity: '1', staff: null }), '1')
  assert.deepEqual(
    ['member', 'staff', 'identity', 'other'].map((key) => keys.includes(key)),
    [true, true, true, false],
  )
})

test('of two guards that end sessions one key is refused, in whichever order they come', () => {
  const keys = new IdentityKeys(undefined)
  keys.claim('member')
  assert.throws(() => keys.claim('staff'), refused)
  assert.equal(keys.find({ member: '3', staff: '2' }), '3')
})

test('a key that the project has chosen is the only one', () => {
  const keys = new IdentityKeys('member')
  keys.follow('staff')
  keys.claim('member')
  assert.throws(() => keys.claim('identity'), refused)
  assert.equal(keys.find({ member: '3', staff: '2', identity: '1' }), '3')
  assert.equal(keys.find({ staff: '2', identity: '1' }), null)
})

for (const [value, identity] of [
  ['7', '7'],
  [7, '7'],
  [{ id: '7', email: 'ada@example.com' }, '7'],
  [{ id: 7 }, '7'],
  ['', null],
  [null, null],
  [undefined, null],
  [true, null],
  [{ id: null }, null],
  [{ email: 'ada@example.com' }, null],
  [[7], null],
] as const) {
  test(`the identity of ${JSON.stringify(value)} is ${identity}`, () => {
    assert.equal(identityOf(value), identity)
  })
}

for (const id of ['x'.repeat(256), 'a\0b', 'a\ud800']) {
  test(`an id that no index can hold is refused: ${JSON.stringify(id.slice(0, 10))}`, () => {
    assert.throws(() => identityOf(id), { code: 'E_SESSION_VALUE' })
  })
}
