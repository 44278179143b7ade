import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlReport } from './html-report.ts'

// Put together, so that the excerpts of this file do not hold it.
const secret = ['plan', 'ted'].join('')

test('the report has class, message, throw point, excerpt, properties, trace and chain', () => {
  const cause = new RangeError('inner')
  const error = Object.assign(new TypeError('outer', { cause }), { code: 'E_OUTER' })
  const report = htmlReport(error, 3)
  assert.match(
    report,
    /^<article class="framework-error"><section><h2>TypeError<\/h2><p>outer<\/p>/,
  )
  assert.match(report, /<p><code>[^<]*html-report\.test\.ts:\d+:\d+<\/code><\/p><pre>/)
  assert.match(report, /<mark>&gt; +\d+ \|   const error = Object/)
  assert.match(report, /<dl><dt>code<\/dt><dd>&#39;E_OUTER&#39;<\/dd><\/dl><ol><li><code>/)
  assert.match(report, /<section><h2>Caused by RangeError<\/h2><p>inner<\/p>/)
  assert.equal(report.match(/<mark>/g)?.length, 2)
})

test('nothing in it runs, loads or escapes its place', () => {
  const error = new Error('</article><script>alert(1)</script>\n<img src=x onerror=alert(1)>\u0007')
  Object.defineProperty(error, 'stack', { value: 'Error\n    at <b> (/<i>".ts:1:1)' })
  error.name = '<b>'
  const report = htmlReport(Object.assign(error, { '<i>': '"><u>' }), 3)
  assert.doesNotMatch(report, /<script|<style|<img|<b>|<i>|<u>|style=|on\w+="/)
  assert.match(report, /<br>&lt;img src=x onerror=alert\(1\)&gt;␇<\/p>/)
})

test('an error without message and stack is its class', () => {
  const error = Object.defineProperty(new Error(''), 'stack', { value: '' })
  assert.equal(
    htmlReport(error, 3),
    '<article class="framework-error"><section><h2>Error</h2><p></p></section></article>',
  )
})

test('secrets in messages are replaced', () => {
  const error = new Error(`no route to redis://:${secret}@cache`)
  assert.match(htmlReport(error, 3), /<p>no route to redis:\/\/\[redacted\]@cache<\/p>/)
  assert.equal(htmlReport(error, 3).includes(secret), false)
})
