import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { CsrfSite } from './csrf-site.ts'
import type { SiteOptions } from './csrf-site.ts'

type Headers = Readonly<Record<string, string>>

/** Posts a valid token with these headers to `shop.example` and returns the status. */
async function posting(
  t: TestContext,
  options: SiteOptions = {},
): Promise<(headers: Headers, isSecure?: boolean) => Promise<number>> {
  const ada = new CsrfSite(t, options).visitor()
  const _token = await ada.token()
  return async (headers, secure = false) => {
    const request = {
      method: 'POST',
      headers: { host: 'shop.example', ...headers },
      body: new URLSearchParams({ _token }),
      secure,
    }
    return (await ada.ask('/save', request)).status
  }
}

test('a request that the browser marks as cross-site is refused, even with a token', async (t) => {
  const post = await posting(t)
  assert.equal(await post({ 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await post({ 'sec-fetch-site': 'cross-site', origin: 'http://shop.example' }), 403)
  for (const site of ['same-origin', 'none']) {
    assert.equal(await post({ 'sec-fetch-site': site }), 200, site)
  }
})

test('the origin must match the requested host', async (t) => {
  const post = await posting(t)
  for (const origin of ['http://shop.example', 'https://shop.example']) {
    assert.equal(await post({ origin }), 200, origin)
  }
  for (const origin of [
    'https://evil.example',
    'http://shop.example.evil.example',
    'http://shop.example:8080',
    'http://evil.example/http://shop.example',
    'shop.example',
    'file://',
    '',
  ]) {
    assert.equal(await post({ origin }), 403, origin)
  }
  assert.equal(
    await post({ origin: 'https://sub.shop.example', 'sec-fetch-site': 'same-site' }),
    403,
  )
})

test('default ports and upper case do not matter', async (t) => {
  const post = await posting(t)
  assert.equal(await post({ host: 'shop.example:80', origin: 'http://shop.example' }), 200)
  assert.equal(await post({ host: 'Shop.Example', origin: 'http://shop.example' }), 200)
  assert.equal(await post({ host: 'shop.example:8087', origin: 'http://shop.example:8087' }), 200)
  assert.equal(await post({ host: 'shop.example:80', origin: 'http://shop.example:8080' }), 403)
})

test('an http page may not post to an https site', async (t) => {
  const post = await posting(t)
  assert.equal(await post({ origin: 'https://shop.example' }, true), 200)
  assert.equal(await post({ origin: 'http://shop.example' }, true), 403)
  assert.equal(await post({ host: 'shop.example:80', origin: 'http://shop.example' }, true), 403)
})

test('APP_URL is allowed too, behind a proxy that changes the host', async (t) => {
  const post = await posting(t, { server: { url: 'https://www.shop.example/start' } })
  assert.equal(await post({ host: '10.0.0.7:8087', origin: 'https://www.shop.example' }), 200)
  assert.equal(await post({ host: '10.0.0.7:8087', origin: 'http://www.shop.example' }), 403)
})

test('the host forwarded by a trusted proxy is the requested one', async (t) => {
  const headers = {
    host: '10.0.0.7',
    origin: 'https://shop.example',
    'x-forwarded-host': 'shop.example',
    'x-forwarded-proto': 'https',
  }
  const trusting = await posting(t, { server: { trustedProxies: ['127.0.0.1'] } })
  assert.equal(await trusting(headers), 200)
  assert.equal(await (await posting(t))(headers), 403)
})

test('trusted origins may send forms', async (t) => {
  const post = await posting(t, { csrf: { origins: ['https://admin.shop.example'] } })
  const site = { 'sec-fetch-site': 'same-site' }
  assert.equal(await post({ origin: 'https://admin.shop.example', ...site }), 200)
  assert.equal(await post({ origin: 'https://other.shop.example', ...site }), 403)
})

test('a null origin is judged by Sec-Fetch-Site, and by the token alone without it', async (t) => {
  const post = await posting(t)
  assert.equal(await post({ origin: 'null' }), 200)
  for (const [site, status] of [
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['elsewhere', 403],
  ] as const) {
    assert.equal(await post({ origin: 'null', 'sec-fetch-site': site }), status, site)
  }
})

test('a client that sends neither header only needs the token', async (t) => {
  assert.equal(await (await posting(t))({}), 200)
})

test('a cross-site request is refused before its body is read', async (t) => {
  const site = new CsrfSite(t)
  const headers = {
    'content-type': 'multipart/form-data; boundary=B',
    origin: 'https://evil.example',
  }
  const answer = await site
    .visitor()
    .ask('/save', { method: 'POST', headers, body: '--B\r\nbroken' })
  assert.equal(answer.status, 403)
})

test('only valid origins can be trusted', () => {
  for (const origin of ['https://shop.example/', 'shop.example', '*', 'null']) {
    assert.throws(() => new Csrf({ origins: [origin] }), { code: 'E_INVALID_ARGUMENT' }, origin)
  }
})
