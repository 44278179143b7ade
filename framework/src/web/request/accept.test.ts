import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredType, prefersJson } from './accept.ts'

const offers = ['application/json', 'text/html', 'text/plain']

for (const [accept, expected] of [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html', 'text/html'],
  ['text/*', 'text/html'],
  ['text/html;q=0.5, text/plain', 'text/plain'],
  ['text/*;q=0.9, text/html;q=0.1', 'text/plain'],
  ['application/json;q=0, */*', 'text/html'],
  ['TEXT/HTML', 'text/html'],
  ['image/png', null],
  ['text/html;q=0', null],
  ['text/html;q=nonsense', null],
] as const) {
  test(`Accept "${accept}" is served ${expected}`, () => {
    assert.equal(preferredType(accept, offers), expected)
  })
}

for (const [accept, expected] of [
  [undefined, false],
  ['*/*', false],
  ['application/json', true],
  ['application/problem+json', true],
  ['text/html, application/json', false],
  ['application/json, text/html', true],
  ['text/html;q=0.8, application/json', true],
  ['application/json;q=0', false],
  ['application/json, */*', true],
] as const) {
  test(`Accept "${accept}" ${expected ? 'asks' : 'does not ask'} for JSON`, () => {
    assert.equal(prefersJson(accept), expected)
  })
}
