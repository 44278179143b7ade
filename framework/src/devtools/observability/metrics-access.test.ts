import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { isPrivateAddress } from '../../http/request/peer.ts'
import type { ServerOptions } from '../../http/server/options.ts'
import { Server } from '../../http/server/server.ts'
import { pageModule, plotFiles } from '../metrics-page/page-files.ts'
import { ObservabilityRoutes } from './observability.ts'

const gated = [
  '/metrics',
  '/metrics?format=json',
  '/metrics/statements',
  `/${pageModule}`,
  `/${plotFiles().script.url}`,
  '/ready',
]
const token = 'scrapers-may-look-0123'

type Status = (
  url: string,
  address: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<number>

/** A server of production unless told otherwise; returns the status that a client gets. */
function serve(
  t: TestContext,
  options: ServerOptions = {},
  environment: Environments = Environments.Production,
): Status {
  const folder = mkdtempSync(join(tmpdir(), 'framework-access-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const server = new Server({ environment, reporter: null }).mount([ObservabilityRoutes], {})
  const { observability } = options
  server.configure({ ...options, observability: { folder, ...observability } })
  t.after(() => server.close())
  return async (url, address, headers = {}) =>
    (await server.inject({ url, address, headers })).status
}

for (const environment of ['development', 'staging', 'test', 'production'] as const) {
  test(`in ${environment}, strangers ${environment === 'test' ? 'see' : 'do not find'} the metrics`, async (t) => {
    const status = serve(t, {}, environment)
    for (const url of gated) {
      assert.equal(await status(url, '127.0.0.1'), 200, url)
      const expected = environment === Environments.Test ? 200 : 404
      assert.equal(await status(url, '203.0.113.9'), expected, url)
    }
    assert.equal(await status('/health', '203.0.113.9'), 200)
  })
}

test('a stranger gets the same answer as at a path without a route', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-access-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.configure({ observability: { folder } }).mount([ObservabilityRoutes], {})
  t.after(() => server.close())
  const ask = async (url: string): Promise<unknown> => {
    const headers = { 'x-request-id': 'same', accept: 'text/html' }
    const {
      status,
      text,
      headers: got,
    } = await server.inject({ url, headers, address: '192.0.2.1' })
    return { status, text, got }
  }
  for (const url of gated) assert.deepEqual(await ask(url), await ask('/nowhere'), url)
})

test('private networks and the local link may look, shared and public addresses may not', () => {
  const inside =
    '127.0.0.1 127.9.9.9 ::1 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.1.1 fd12::1 fe80::1 fe80::1%eth0'
  const outside =
    '8.8.8.8 172.15.0.1 172.32.0.1 192.169.0.1 100.64.0.1 0.0.0.0 2001:db8::1 fec0::1 :: localhost'
  for (const address of inside.split(' ')) assert.equal(isPrivateAddress(address), true, address)
  for (const address of outside.split(' ')) assert.equal(isPrivateAddress(address), false, address)
  assert.equal(isPrivateAddress(''), false)
})

test('the token opens them from anywhere, nothing else does', async (t) => {
  const status = serve(t, { observability: { token } })
  for (const url of gated) {
    assert.equal(await status(url, '203.0.113.9', { authorization: `Bearer ${token}` }), 200, url)
    for (const authorization of [
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
      'Bearer',
    ]) {
      assert.equal(await status(url, '203.0.113.9', { authorization }), 404, authorization)
    }
  }
  const without = serve(t)
  for (const authorization of ['Bearer ', 'Bearer null', 'Bearer undefined']) {
    assert.equal(await without('/metrics', '203.0.113.9', { authorization }), 404, authorization)
  }
})

test('a site whose name was pointed at this machine does not find them; the token does not depend on the name', async (t) => {
  const status = serve(t, { url: 'https://shop.example', observability: { token } })
  const asked = (host: string, headers = {}): Promise<number> =>
    status('/metrics', '127.0.0.1', { host, ...headers })
  for (const host of [
    'evil.example',
    'evil.example:8087',
    'shop.example.evil.test.example',
    'x.local',
  ]) {
    for (const url of gated) assert.equal(await status(url, '127.0.0.1', { host }), 404, host)
    assert.equal(await asked(host, { authorization: `Bearer ${token}` }), 200, host)
  }
  // This machine, an address, the public name, and names that no stranger can register.
  for (const host of [
    'localhost:8087',
    '127.0.0.1:8087',
    '10.1.2.3',
    '[fd12::1]:8087',
    'shop.example',
    'SHOP.example:443',
    'web:8087',
    'shop.test',
    'web.prod.internal',
  ]) {
    assert.equal(await asked(host), 200, host)
  }
})

test('a forwarded request counts as its client, if a trusted proxy names one', async (t) => {
  const status = serve(t, { trustedProxies: ['127.0.0.1', '10.0.0.0/24'] })
  const asked = (client: string, address = '127.0.0.1'): Promise<number> =>
    status('/metrics', address, { 'x-forwarded-for': client })
  for (const client of [
    '192.168.7.7',
    '203.0.113.9, 10.9.9.9',
    '10.0.0.7',
    '8.8.8.8, 192.168.1.1, 10.0.0.2',
  ]) {
    assert.equal(await asked(client), 200, client)
  }
  for (const client of [
    '203.0.113.9',
    '127.0.0.1, 203.0.113.9',
    'unknown',
    '',
    '10.9.9.9, unknown',
    '203.0.113.9, 10.0.0.2',
  ]) {
    assert.equal(await asked(client), 404, client)
  }
  assert.equal(await asked('10.0.0.7', '192.168.7.7'), 404, 'the proxy is not trusted')
  assert.equal(await status('/metrics', '127.0.0.1', { via: '1.1 cache' }), 404, 'it names nobody')
  assert.equal(await status('/metrics', '127.0.0.1'), 200, 'not forwarded')
})

test('without trusted proxies, a request that says it was forwarded is refused', async (t) => {
  const status = serve(t)
  for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via', 'CF-Connecting-IP']) {
    assert.equal(await status('/metrics', '127.0.0.1', { [name]: '127.0.0.1' }), 404, name)
  }
})
