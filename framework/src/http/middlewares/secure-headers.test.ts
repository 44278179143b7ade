import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import type { Response } from '../response/response.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { SecureHeaders } from './secure-headers.ts'
import type { SecureHeadersOptions } from './secure-headers.ts'

function answerOf(
  options: SecureHeadersOptions = {},
  {
    handler = (response: Response): unknown => response.text('hi'),
    secure = false,
    url = '/',
  } = {},
): Promise<InjectedResponse> {
  const server = new Server({ environment: Environments.Test })
  server.use(new SecureHeaders(options))
  server.router.get('/', (_request, response) => handler(response))
  return server.inject({ url, secure })
}

const usualPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; object-src 'none'; " +
  "img-src 'self' data:; script-src 'self'; style-src 'self'"

function assertUsual({ headers }: InjectedResponse): void {
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
  assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['content-security-policy'], usualPolicy)
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment']) {
    assert.match(headers['permissions-policy'] ?? '', new RegExp(`(?:^|, )${feature}=\\(\\)`))
  }
}

test('every answer carries the headers', async () => {
  assertUsual(await answerOf())
})

test('error answers carry them too', async () => {
  const missing = await answerOf({}, { url: '/none' })
  assert.equal(missing.status, 404)
  assertUsual(missing)
  const failing = await answerOf({}, { handler: () => Promise.reject(new Error('planted')) })
  assert.equal(failing.status, 500)
  assertUsual(failing)
})

test('HSTS is sent over TLS and only there', async () => {
  assert.equal((await answerOf()).headers['strict-transport-security'], undefined)
  const answer = await answerOf({}, { secure: true })
  assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
})

test('the policy names the nonce of the answer when it was used', async () => {
  let nonce = ''
  const handler = (response: Response): Response => {
    nonce = response.nonce
    return response.html(`<script nonce="${nonce}"></script>`)
  }
  const policy = (await answerOf({}, { handler })).headers['content-security-policy']
  assert.equal(
    policy,
    usualPolicy
      .replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
      .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
  )
})

test('headers set by the handler are kept, in any case', async () => {
  const handler = (response: Response): Response =>
    response
      .header('referrer-policy', 'no-referrer')
      .header('Content-Security-Policy', 'sandbox')
      .text('hi')
  const { headers } = await answerOf({}, { handler })
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['content-security-policy'], 'sandbox')
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
})

test('each header can be replaced or left out', async () => {
  const replaced = await answerOf(
    { frameOptions: 'DENY', permissionsPolicy: 'usb=()', strictTransportSecurity: 'max-age=1' },
    { secure: true },
  )
  assert.equal(replaced.headers['x-frame-options'], 'DENY')
  assert.equal(replaced.headers['permissions-policy'], 'usb=()')
  assert.equal(replaced.headers['strict-transport-security'], 'max-age=1')
  const none = await answerOf(
    {
      contentTypeOptions: null,
      frameOptions: null,
      referrerPolicy: null,
      permissionsPolicy: null,
      crossOriginOpenerPolicy: null,
      crossOriginResourcePolicy: null,
      contentSecurityPolicy: null,
      strictTransportSecurity: null,
    },
    { secure: true },
  )
  assert.deepEqual(Object.keys(none.headers).sort(), ['content-length', 'content-type'])
})

test('single directives of the policy can be replaced, added or left out', async () => {
  const contentSecurityPolicy = {
    'img-src': '*',
    'style-src': null,
    'upgrade-insecure-requests': '',
  }
  const policy = (await answerOf({ contentSecurityPolicy })).headers['content-security-policy']
  assert.equal(
    policy,
    usualPolicy.replace("img-src 'self' data:", 'img-src *').replace("; style-src 'self'", '') +
      '; upgrade-insecure-requests',
  )
})

test("a policy of one's own may name the nonce", async () => {
  const contentSecurityPolicy = "script-src 'nonce-{nonce}' 'strict-dynamic'"
  const plain = await answerOf({ contentSecurityPolicy })
  assert.equal(plain.headers['content-security-policy'], "script-src 'strict-dynamic'")
  let nonce = ''
  const handler = (response: Response): Response => response.text((nonce = response.nonce))
  const used = await answerOf({ contentSecurityPolicy }, { handler })
  assert.equal(
    used.headers['content-security-policy'],
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
  )
})

test('an invalid header value throws in the constructor', () => {
  assert.throws(() => new SecureHeaders({ frameOptions: 'DENY\r\nX: y' }), { code: 'E_HEADER' })
})
