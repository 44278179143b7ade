import assert from 'node:assert/strict'
import { test } from 'node:test'

import { maskText } from './mask-text.ts'

test('user info of URLs is masked anywhere in a text', () => {
  const cases = {
    'postgres://ada:pass@db:5432/x': 'postgres://[redacted]@db:5432/x',
    'no host redis://:pass@cache, and http://u@h/':
      'no host redis://[redacted]@cache, and http://[redacted]@h/',
    'two @: mysql://u:p@ss@h/db': 'two @: mysql://[redacted]@h/db',
    'a slash in it: mysql://u:p/a#s?s@h/db': 'a slash in it: mysql://[redacted]@h/db',
    'x ["http://u:p@h","a@b"]': 'x ["http://[redacted]@h","a@b"]',
  }
  for (const [text, masked] of Object.entries(cases)) assert.equal(maskText(text), masked)
})

test('URLs without user info, mail addresses and ports stay as they are', () => {
  for (const text of [
    'https://example.com/@ada?x=1#a@b',
    'http://localhost:3000/@vite/client',
    'http://[::1]:3000/@vite/client',
    'write to ada@example.com',
    'say "http://a.b" and "c@d"',
    'a://b c@d',
  ]) {
    assert.equal(maskText(text), text)
  }
})

test('the secret half of our own tokens is masked in links and cookies, similar texts are not', () => {
  const selector = '0123456789abcdef'
  const verifier = 'fedcba9876543210'.repeat(4)
  for (const [before, after] of [
    ['http://a.b/reset/', '?x=1'],
    ['Referer: /verify/', ''],
    ['remember=', '; Path=/'],
    ['', ' and more'],
  ] as const) {
    for (const sign of ['/', '.', '%2F', '%2e']) {
      const text = `${before}${selector}${sign}${verifier}${after}`
      assert.equal(maskText(text), `${before}${selector}${sign}[redacted]${after}`)
    }
  }
  for (const text of [
    `sha256 ${verifier}`,
    `${selector}/${verifier}0`,
    `0${selector}/${verifier}`,
    `${selector}-${verifier}`,
  ]) {
    assert.equal(maskText(text), text)
  }
})

test('header lines with credentials are masked', () => {
  for (const name of ['Authorization', 'Cookie', 'X-Auth', 'x-auth-token', 'X-Access-Token']) {
    assert.equal(maskText(`${name}: planted\nHost: a`), `${name}: [redacted]\nHost: a`)
  }
})

test('the code of an error stays readable in a text', () => {
  for (const text of ['{"code":"E_CURSOR"}', 'failed: code=ENOENT'])
    assert.equal(maskText(text), text)
  assert.equal(maskText('{"code":"4/0AX"}'), '{"code":"[redacted]"}')
})

test('values of secret query parameters are masked, others are not', () => {
  assert.equal(
    maskText('GET /reset?page=2&token=abc&api_key=x-y&monkey=1#top'),
    'GET /reset?page=2&token=[redacted]&api_key=[redacted]&monkey=1#top',
  )
  assert.equal(
    maskText('/callback?code=E_X&state=1&jwt=a.b&sid=7'),
    '/callback?code=[redacted]&state=1&jwt=[redacted]&sid=[redacted]',
  )
})

test('pairs with a secret name are masked in forms, fragments, plain words and JSON as well', () => {
  const cases = {
    'x#access_token=abc': 'x#access_token=[redacted]',
    'a=1&amp;token=abc&amp;b=2': 'a=1&amp;token=[redacted]&amp;b=2',
    'a=1;token=abc': 'a=1;token=[redacted]',
    '?user%5Bpassword%5D=abc': '?user%5Bpassword%5D=[redacted]',
    '?to%6ben=abc': '?to%6ben=[redacted]',
    'login with password=abc failed': 'login with password=[redacted] failed',
    'sent {"password":"a\\"bc","name":"ada"}': 'sent {"password":"[redacted]","name":"ada"}',
  }
  for (const [text, masked] of Object.entries(cases)) assert.equal(maskText(text), masked)
})

test('credentials of headers are masked where a text quotes them', () => {
  assert.equal(
    maskText('Authorization: Bearer abc\nCookie: a=1; b=2\nAccept: x'),
    'Authorization: [redacted]\nCookie: [redacted]\nAccept: x',
  )
  assert.equal(maskText('sent bearer abc.def.ghi, refused'), 'sent bearer [redacted], refused')
})

test('a long text is cut, and a secret at the cut does not come through', () => {
  const long = maskText('x'.repeat(10_000))
  assert.equal(long.length < 8_300, true)
  assert.match(long, /… \(1808 more characters\)$/)
  for (let shift = 0; shift < 40; shift++) {
    for (const edge of [8_192, 65_536]) {
      const text = `${'x'.repeat(edge - shift)}http://user:planted@host/${'y'.repeat(300_000)}`
      assert.equal(maskText(text).includes('planted'), false)
    }
    // Masking makes the text shorter: what was far behind comes within the shown part.
    const shrinking = `http://${'u'.repeat(1_000)}@h `.repeat(65).slice(0, 65_530 - shift)
    assert.equal(
      maskText(`${shrinking} http://u:planted@host${'y'.repeat(999)}`).includes('planted'),
      false,
    )
  }
})

test('a hostile text costs no more than its length', () => {
  const started = process.cpuUsage()
  maskText('://a:'.repeat(50_000))
  maskText('?token'.repeat(50_000))
  maskText('://'.repeat(80_000))
  maskText('token%'.repeat(50_000))
  maskText('"token":"'.repeat(40_000))
  maskText('cookie:'.repeat(40_000))
  maskText('bearer '.repeat(40_000))
  assert.ok(process.cpuUsage(started).user < 1_000_000)
})
