import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedTypes, preferredType } from './accept.ts'

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

test('what an Accept list takes is ranked by quality, listed order among equals', () => {
  const types = acceptedTypes('text/html;q=0.5, a/b, text/plain;q=0, c/d, */*;q=0.1')
  assert.deepEqual(
    types.map(({ type }) => type),
    ['a/b', 'c/d', 'text/html', '*/*'],
  )
})
