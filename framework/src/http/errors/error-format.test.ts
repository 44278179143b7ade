import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorFormat } from './error-format.ts'

for (const [accept, expected] of [
  [undefined, 'page'],
  ['', 'page'],
  ['*/*', 'page'],
  ['image/png', 'page'],
  ['application/json', 'payload'],
  ['application/json; charset=utf-8', 'payload'],
  ['APPLICATION/JSON', 'payload'],
  ['application/vnd.api+json', 'payload'],
  ['text/html, application/json', 'page'],
  ['application/json, text/html', 'payload'],
  ['text/html;q=0.8, application/json', 'payload'],
  ['application/json;q=0.1, */*;q=0.2', 'page'],
  ['application/json;q=0', 'page'],
  ['application/json, */*', 'payload'],
  ['application/problem+json', 'problem'],
  ['application/json, application/problem+json', 'problem'],
  ['application/json, application/problem+json;q=0.5', 'payload'],
  ['text/html, application/problem+json', 'page'],
  ['application/problem+json;q=0', 'page'],
  ['application/*', 'payload'],
  ['application/*;q=0.1', 'payload'],
  ['text/plain, application/json', 'payload'],
  ['image/png, application/*;q=0.5', 'payload'],
  ['text/plain, application/problem+json', 'problem'],
  ['application/*, application/problem+json;q=0.5', 'payload'],
  ['application/*;q=0.5, application/problem+json;q=0.5', 'problem'],
  ['text/plain, text/html;q=0, application/json', 'payload'],
  ['text/plain, text/html;q=0, */*;q=0.1, application/json;q=0.5', 'payload'],
  ['application/*, text/html;q=0.1', 'page'],
  ['application/*, text/*;q=0.1', 'page'],
  ['application/*, */*;q=0.1', 'page'],
  ['text/plain, application/json, text/html', 'page'],
  ['application/*, application/json;q=0', 'page'],
  ['application/*;q=0', 'page'],
  ['text/html;q=0', 'page'],
  ['text/html;q=0, */*', 'page'],
] as const) {
  test(`an error for Accept "${accept}" is a ${expected}`, () => {
    assert.equal(errorFormat(accept), expected)
  })
}
