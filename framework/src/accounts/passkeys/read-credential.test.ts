import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAssertion, readNewCredential } from './read-credential.ts'

const client = { type: 'webauthn.get', challenge: 'Y2hhbGxlbmdl', origin: 'https://shop.example' }
const clientDataJSON = Buffer.from(JSON.stringify(client)).toString('base64url')
const made = {
  id: 'aWQ',
  type: 'public-key',
  response: { clientDataJSON, attestationObject: 'YQ' },
}
const signed = { ...made, response: { clientDataJSON, authenticatorData: 'YQ', signature: 'Yg' } }

const withResponse = (from: typeof made | typeof signed, change: object): string =>
  JSON.stringify({ ...from, response: { ...from.response, ...change } })

test('what browsers return is read, as far as it is used', () => {
  assert.deepEqual(readNewCredential(withResponse(made, { transports: ['usb', 7, 'NFC!'] })), {
    id: 'aWQ',
    clientDataJSON,
    attestationObject: 'YQ',
    transports: ['usb'],
    client: { challenge: 'Y2hhbGxlbmdl', crossOrigin: false },
  })
  assert.deepEqual(readAssertion(withResponse(signed, { userHandle: 'dQ' }))?.userHandle, 'dQ')
  assert.equal(readAssertion(withResponse(signed, { userHandle: null }))?.userHandle, null)
  const framed = Buffer.from(JSON.stringify({ ...client, crossOrigin: true })).toString('base64url')
  const read = readAssertion(withResponse(signed, { clientDataJSON: framed }))
  assert.equal(read?.client.crossOrigin, true)
})

test('anything else is none', () => {
  const noChallenge = Buffer.from('{"type":"webauthn.get"}').toString('base64url')
  for (const text of [
    '',
    'null',
    '[]',
    '{"id":',
    JSON.stringify({ ...signed, type: 'password' }),
    JSON.stringify({ ...signed, id: '' }),
    JSON.stringify({ ...signed, id: 'a+b' }),
    JSON.stringify({ ...signed, id: 'a'.repeat(1365) }),
    JSON.stringify({ ...signed, response: null }),
    withResponse(signed, { clientDataJSON: 'bm8' }),
    withResponse(signed, { clientDataJSON: noChallenge }),
    withResponse(signed, { signature: { toString: 'Yg' } }),
    withResponse(signed, { authenticatorData: '' }),
    withResponse(signed, { authenticatorData: 'A'.repeat(16_384) }),
  ]) {
    assert.equal(readAssertion(text), null, text.slice(0, 100))
  }
  assert.equal(readNewCredential(JSON.stringify(signed)), null)
  assert.equal(readAssertion(JSON.stringify(made)), null)
})

test('a long list of transports is cut', () => {
  const transports = Array.from({ length: 50 }, () => 'internal')
  assert.equal(readNewCredential(withResponse(made, { transports }))?.transports.length, 4)
})
