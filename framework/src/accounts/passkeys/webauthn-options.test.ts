import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relyingParty } from './webauthn-options.ts'

for (const [url, id, origin, isUsable] of [
  ['https://shop.example', 'shop.example', 'https://shop.example', true],
  ['https://Shop.example:8443/base/', 'shop.example', 'https://shop.example:8443', true],
  ['http://localhost:8087', 'localhost', 'http://localhost:8087', true],
  ['http://shop.localhost:8087', 'shop.localhost', 'http://shop.localhost:8087', true],
  ['http://shop.example', 'shop.example', 'http://shop.example', false],
  ['http://127.0.0.1:8087', '127.0.0.1', 'http://127.0.0.1:8087', false],
  ['https://192.0.2.7', '192.0.2.7', 'https://192.0.2.7', false],
  ['https://[::1]:8087', '[::1]', 'https://[::1]:8087', false],
] as const) {
  test(`${url} is ${isUsable ? 'an address' : 'no address'} for passkeys of ${id}`, () => {
    assert.deepEqual(relyingParty(url, 'Shop'), { id, origin, title: 'Shop', isUsable })
  })
}
