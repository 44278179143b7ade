import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentTypeOf } from './content-type.ts'

test('the extension decides, in either case', () => {
  assert.equal(contentTypeOf('/a/b.html'), 'text/html; charset=utf-8')
  assert.equal(contentTypeOf('B.JS'), 'text/javascript; charset=utf-8')
  assert.equal(contentTypeOf('x.min.css'), 'text/css; charset=utf-8')
  assert.equal(contentTypeOf('x.woff2'), 'font/woff2')
})

test('what has no known extension is bytes', () => {
  for (const name of ['x', '.html', 'x.constructor', 'x.', 'a.html/b']) {
    assert.equal(contentTypeOf(name), 'application/octet-stream')
  }
})
