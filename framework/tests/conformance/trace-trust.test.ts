import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnvTexts } from '../../src/settings/env-source.ts'
import type { InjectedRequest } from '../../src/http/server/inject.ts'
import type { OtlpSpan } from '../support/decode-otlp.ts'
import { tracedProject } from '../support/traced-project.ts'
import type { TestContext } from 'node:test'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const sampled = `00-${traceId}-${spanId}-01`
const stranger = '203.0.113.9'
const proxy = '198.51.100.1'

/** The span of one request; undefined if it was not recorded. */
async function spanOf(
  t: TestContext,
  env: EnvTexts,
  request: Partial<InjectedRequest>,
): Promise<OtlpSpan | undefined> {
  const { server, spans } = await tracedProject(
    t,
    (router) => {
      router.get('/', () => 'hello')
    },
    { TRUSTED_PROXIES: proxy, ...env },
  )
  await server.inject({ url: '/', ...request })
  return (await spans()).find(({ kind }) => kind === 2)
}

const never = { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }

for (const [who, request] of [
  ['a client on this machine', { address: '127.0.0.1' }],
  ['a client in a private network', { address: '10.1.2.3' }],
  ['a trusted proxy that asks for itself', { address: proxy }],
] as const) {
  test(`the trace of ${who} goes on, and its decision counts`, async (t) => {
    const headers = { traceparent: sampled }
    const span = await spanOf(t, never, { ...request, headers })
    assert.equal(span?.traceId, traceId)
    assert.equal(span.parentSpanId, spanId)
    assert.equal(span.links, undefined)
    const unsampled = { traceparent: sampled.replace(/01$/, '00') }
    assert.equal(await spanOf(t, {}, { ...request, headers: unsampled }), undefined)
  })
}

const forwarded = { traceparent: sampled, 'x-forwarded-for': stranger }

for (const [who, request] of [
  ['a stranger', { address: stranger, headers: { traceparent: sampled } }],
  ['a stranger behind a trusted proxy', { address: proxy, headers: forwarded }],
  ['somebody behind an unknown proxy', { address: '10.0.0.1', headers: forwarded }],
] as const) {
  test(`the header of ${who} is a link and cannot force recording`, async (t) => {
    assert.equal(await spanOf(t, never, request), undefined)
    const span = await spanOf(t, {}, request)
    assert.ok(span !== undefined)
    assert.notEqual(span.traceId, traceId)
    assert.equal(span.parentSpanId, undefined)
    assert.deepEqual(span.links, [{ traceId, spanId }])
    // Nor prevent it.
    const headers = { ...request.headers, traceparent: sampled.replace(/01$/, '00') }
    assert.ok((await spanOf(t, {}, { ...request, headers })) !== undefined)
  })
}

test('with TRACE_TRUST=proxies the traces that a trusted proxy sends go on', async (t) => {
  const env = { ...never, TRACE_TRUST: 'proxies' }
  assert.equal((await spanOf(t, env, { address: proxy, headers: forwarded }))?.traceId, traceId)
  const unknown = { address: '192.0.2.1', headers: forwarded }
  assert.equal(await spanOf(t, env, unknown), undefined)
})

test('without a propagator headers are neither read nor sent', async (t) => {
  const { server, collector, spans } = await tracedProject(
    t,
    (router) => {
      router.get('/', async () => {
        await fetch(`${collector.url}/other`)
        return 'hello'
      })
    },
    { OTEL_PROPAGATORS: 'none' },
  )
  await server.inject({ url: '/', headers: { traceparent: sampled } })
  const sent = String(
    collector.posts.find(({ target }) => target === '/other')?.headers['traceparent'],
  )
  assert.equal(sent, 'undefined')
  assert.notEqual((await spans())[0]?.traceId, traceId)
})
