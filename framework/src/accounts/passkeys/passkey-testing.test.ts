import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { TestAuthenticator } from './passkey-testing.ts'

const origin = 'https://shop.example'
const creation = { rp: { id: 'shop.example' }, user: { id: 'dXNlcg' }, challenge: 'bm90IHJhbmRvbQ' }
const request = { rpId: 'shop.example', challenge: 'YW5vdGhlciBvbmU' }
const expected = { expectedOrigin: origin, expectedRPID: 'shop.example' }

test('what it makes and signs passes the checks of SimpleWebAuthn', async () => {
  const browser = new TestAuthenticator({ origin, counts: true })
  const { registrationInfo } = await verifyRegistrationResponse({
    response: JSON.parse(browser.create(creation)),
    expectedChallenge: creation.challenge,
    ...expected,
  })
  assert.ok(registrationInfo)
  assert.deepEqual([registrationInfo.userVerified, registrationInfo.credential.counter], [true, 1])
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: JSON.parse(browser.get(request)),
    expectedChallenge: request.challenge,
    credential: registrationInfo.credential,
    ...expected,
  })
  assert.deepEqual([verified, authenticationInfo.newCounter], [true, 2])
})

test('one that does not verify its user does not say so, and one that does not count stays at 0', async () => {
  const browser = new TestAuthenticator({ origin, verifies: false })
  const { registrationInfo } = await verifyRegistrationResponse({
    response: JSON.parse(browser.create(creation)),
    expectedChallenge: creation.challenge,
    requireUserVerification: false,
    ...expected,
  })
  assert.deepEqual(
    [registrationInfo?.userVerified, registrationInfo?.credential.counter],
    [false, 0],
  )
})

test('it makes no second passkey for an account, and signs only with those that are asked for', () => {
  const browser = new TestAuthenticator({ origin })
  assert.throws(() => browser.get(request), { name: 'InvalidArgumentException' })
  browser.create(creation)
  const [{ id } = { id: '' }] = browser.credentials
  const again = { ...creation, excludeCredentials: [{ type: 'public-key', id }] }
  assert.throws(() => browser.create(again), { name: 'InvalidArgumentException' })
  assert.equal(JSON.parse(browser.get({ ...request, allowCredentials: [{ id }] })).id, id)
  const other = { ...request, allowCredentials: [{ id: 'b3RoZXI' }] }
  assert.throws(() => browser.get(other), { name: 'InvalidArgumentException' })
})
