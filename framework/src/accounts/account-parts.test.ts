import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountParts } from './account-parts.ts'

const users = { find: async () => null, dates: async () => null }

test('factors and identities are listed with their times, and without what opens the account', async () => {
  const passkey = {
    handle: 'h',
    name: 'Phone',
    synced: true,
    verifies: true,
    created: 0,
    used: null,
  }
  const parts = accountParts({
    users,
    authenticator: { status: async (user) => (user === '7' ? { since: 60, codes: 9 } : null) },
    passkeys: { list: async () => [passkey] },
    identities: {
      list: async () => [
        { issuer: { name: 'company' }, subject: 'ada-4711', since: 60 },
        { issuer: { name: 'school' }, subject: null, since: null },
      ],
    },
  })
  assert.deepEqual(Object.keys(parts), ['account', 'authenticator', 'passkeys', 'identities'])
  const on = { since: '1970-01-01T00:01:00.000Z', recoveryCodes: 9 }
  assert.deepEqual(await parts['authenticator']?.('7'), on)
  assert.equal(await parts['authenticator']?.('8'), null)
  assert.deepEqual(await parts['passkeys']?.('7'), [
    { name: 'Phone', synced: true, created: '1970-01-01T00:00:00.000Z', used: null },
  ])
  assert.deepEqual(await parts['identities']?.('7'), [
    { issuer: 'company', subject: 'ada-4711', since: '1970-01-01T00:01:00.000Z' },
  ])
})

test('what a project does not have is no part', () => {
  assert.deepEqual(Object.keys(accountParts({ users })), ['account'])
})
