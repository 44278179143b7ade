import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountParts } from './account-parts.ts'

const users = { find: async () => null }

test('passkeys and identities are listed with their times, and without what finds them', async () => {
  const passkey = { handle: 'h', name: 'Phone', synced: true, created: 0, used: null }
  const parts = accountParts({
    users,
    passkeys: { list: async () => [passkey] },
    identities: {
      list: async () => [
        { issuer: { name: 'company' }, since: 60 },
        { issuer: { name: 'school' }, since: null },
      ],
    },
  })
  assert.deepEqual(Object.keys(parts), ['account', 'passkeys', 'identities'])
  assert.deepEqual(await parts['passkeys']?.('7'), [
    { name: 'Phone', synced: true, created: '1970-01-01T00:00:00.000Z', used: null },
  ])
  assert.deepEqual(await parts['identities']?.('7'), [
    { issuer: 'company', since: '1970-01-01T00:01:00.000Z' },
  ])
})

test('what a project does not have is no part', () => {
  assert.deepEqual(Object.keys(accountParts({ users })), ['account'])
})
