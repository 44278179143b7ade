import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { trace } from '../../src/tracing/trace.ts'
import { Tracers } from '../../src/tracing/tracer.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import type { MiddlewareFunction } from '../../src/http/router/middleware.ts'
import { ObservabilityRoutes } from '../../src/devtools/observability/observability.ts'
import { attributesOf } from '../support/decode-otlp.ts'
import type { OtlpSpan } from '../support/decode-otlp.ts'
import { spansIn } from '../support/spans-in.ts'
import { tracedProject } from '../support/traced-project.ts'
import { waitFor } from '../support/wait-for.ts'

function named(spans: readonly OtlpSpan[], name: string): OtlpSpan {
  const found = spans.find((span) => span.name === name)
  assert.ok(found !== undefined, `${name} is not in ${spans.map((span) => span.name).join(', ')}`)
  return found
}

test('a request is a trace: handler, statements, own spans and outgoing requests', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const { server, collector, spans } = await tracedProject(t, (router) => {
    router.get('/orders/:id', async (request) => {
      request.span.setAttribute('order.items', 3).addEvent('found', { rows: 1 })
      await trace('prices', async (span) => {
        span.setAttributes({ currency: 'EUR', 'api.token': 'planted-secret' })
        await database.rows({ sql: 'SELECT 7 AS price FROM (SELECT 1) AS prices', parameters: [] })
      })
      await fetch(`${collector.url}/stock?key=planted-secret`)
      return 'done'
    })
  })
  assert.equal((await server.inject({ url: '/orders/7?token=planted-secret' })).status, 200)
  const all = await spans()
  const request = named(all, 'GET /orders/:id')
  const handler = named(all, 'handler /orders/:id')
  const prices = named(all, 'prices')
  const statement = all.find(({ name }) => name.startsWith('SELECT'))
  const outgoing = named(all, 'GET')
  assert.equal(request.kind, 2)
  assert.equal(request.parentSpanId, undefined)
  assert.equal(handler.parentSpanId, request.spanId)
  assert.equal(prices.parentSpanId, handler.spanId)
  assert.equal(statement?.parentSpanId, prices.spanId)
  assert.equal(outgoing.parentSpanId, handler.spanId)
  assert.deepEqual(new Set(all.map(({ traceId }) => traceId)), new Set([request.traceId]))
  assert.deepEqual(attributesOf(request), {
    'url.path': '/orders/7',
    'url.scheme': 'http',
    'server.address': 'localhost',
    'server.port': 80,
    'http.request.method': 'GET',
    'http.route': '/orders/:id',
    'http.response.status_code': 200,
    'order.items': 3,
  })
  assert.deepEqual(
    request.events?.map(({ name }) => name),
    ['found'],
  )
  const sql = attributesOf(statement ?? {})
  assert.equal(sql['db.system.name'], 'sqlite')
  assert.equal(sql['db.query.text'], 'SELECT ? AS price FROM (SELECT ?) AS prices')
  assert.equal(attributesOf(outgoing)['url.full'], `${collector.url}/stock`)
  assert.equal(attributesOf(outgoing)['http.response.status_code'], 200)
  const sent = collector.posts.find(({ target }) => target.startsWith('/stock'))
  assert.equal(
    sent?.headers['traceparent'],
    `00-${request.traceId}-${outgoing.spanId}-03`,
    'the other server continues the span of the outgoing request',
  )
  assert.ok(!collector.posts.some(({ body }) => body.includes('planted-secret')))
})

const statement = { sql: 'SELECT 1', parameters: [] }

test('what a middleware does that answers itself is inside the span of the middlewares', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const { server, spans } = await tracedProject(t, (router) => {
    const refuse: MiddlewareFunction = async (_request, response) => {
      await database.rows(statement)
      return response.status(403)
    }
    router.get('/orders', () => assert.fail('it ran'), { middlewares: [refuse] })
  })
  assert.equal((await server.inject({ url: '/orders' })).status, 403)
  const all = await spans()
  const request = named(all, 'GET /orders')
  const middlewares = named(all, 'middlewares')
  assert.equal(middlewares.parentSpanId, request.spanId)
  assert.equal(middlewares.endTimeUnixNano, request.endTimeUnixNano)
  assert.equal(named(all, 'SELECT').parentSpanId, middlewares.spanId)
  assert.equal(all.length, 3)
})

test('the statements of a request that hangs arrive, and those after its response belong to it', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const hanging = Promise.withResolvers<void>()
  const later = Promise.withResolvers<void>()
  const { server, collector, spans } = await tracedProject(
    t,
    (router) => {
      router.get('/hangs', async () => {
        await database.rows(statement)
        await hanging.promise
        return 'done'
      })
      router.get('/later', () => {
        void hanging.promise.then(() => database.rows(statement)).then(() => later.resolve())
        return 'done'
      })
    },
    { OTEL_BSP_SCHEDULE_DELAY: '1' },
  )
  const response = server.inject({ url: '/hangs' })
  await waitFor('the statement', () => spansIn(collector).length === 1)
  await server.inject({ url: '/later' })
  hanging.resolve()
  await response
  await later.promise
  const all = await spans()
  const handler = named(all, 'handler /hangs')
  const [early, late] = all.filter(({ name }) => name === 'SELECT')
  assert.equal(early?.parentSpanId, handler.spanId)
  assert.equal(handler.parentSpanId, named(all, 'GET /hangs').spanId)
  assert.equal(late?.parentSpanId, named(all, 'GET /later').spanId)
})

test('a failing request is a failed span with the exception, without secrets', async (t) => {
  const { server, spans } = await tracedProject(t, (router) => {
    router.get('/reset/:token', () => {
      throw new Error('no such row: password=planted-secret')
    })
  })
  await server.inject({ url: '/reset/planted-secret' })
  const request = (await spans()).find(({ kind }) => kind === 2)
  assert.equal(request?.status?.code, 2)
  const attributes = attributesOf(request ?? {})
  assert.equal(attributes['error.type'], 'Error')
  assert.equal(attributes['url.path'], '/reset/[redacted]')
  const [event] = request?.events ?? []
  assert.equal(event?.name, 'exception')
  assert.match(String(attributesOf(event ?? {})['exception.stacktrace']), /request-spans\.test/)
  assert.ok(!JSON.stringify(request).includes('planted-secret'))
})

test('a refused request is not a failed span', async (t) => {
  const { server, spans } = await tracedProject(t, (router) => {
    router.get('/', () => {
      throw new HttpError(403)
    })
  })
  await server.inject({ url: '/' })
  await server.inject({ url: '/nowhere' })
  const all = (await spans()).filter(({ kind }) => kind === 2)
  assert.deepEqual(
    all.map(({ name, status }) => [name, status]),
    [
      ['GET /', undefined],
      ['GET', undefined],
    ],
  )
})

test('without OTEL_TRACES_EXPORTER nothing is traced, and the span of a request does nothing', async (t) => {
  let recording: boolean | null = null
  const { server, spans } = await tracedProject(
    t,
    (router) => {
      router.get('/', (request) => {
        recording = request.span.setAttribute('a', 1).isRecording()
        return trace('work', (span) => span.isRecording())
      })
    },
    { OTEL_TRACES_EXPORTER: '' },
  )
  assert.equal((await server.inject({ url: '/' })).json(), false)
  assert.equal(recording, false)
  assert.deepEqual(await spans(), [])
})

test('the metrics of a recorded request lead to its trace', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'exemplars-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const env = { FRAMEWORK_OBSERVABILITY_DIR: folder, OTEL_TRACES_SAMPLER_ARG: '0' }
  const { server, spans } = await tracedProject(
    t,
    (router) => {
      router.get('/', () => 'fine')
      router.get('/broken', () => {
        throw new Error('broken')
      })
    },
    env,
  )
  server.mount([ObservabilityRoutes], {})
  await server.inject({ url: '/' })
  const metrics = async (): Promise<string> =>
    (await server.inject({ url: '/metrics?format=openmetrics' })).text
  assert.ok(!(await metrics()).includes('trace_id'), 'what is not exported is no exemplar')
  await server.inject({ url: '/broken' })
  const text = await metrics()
  const request = (await spans()).find(({ name }) => name === 'GET /broken')
  assert.ok(request !== undefined)
  const ids = `# {trace_id="${request.traceId}",span_id="${request.spanId}"}`
  const lines = text.split('\n').filter((line) => line.includes(ids))
  for (const start of [
    'http_request_duration_seconds_bucket{le=',
    'http_server_request_duration_seconds_bucket{http_request_method="GET",http_response_status_code="500",http_route="/broken",',
  ]) {
    assert.ok(
      lines.some((line) => line.startsWith(start)),
      text,
    )
  }
  assert.match(text, /^tracing_spans_dropped_total\{reason="queue"\} \d+$/m)
})

test('metrics alone start no tracing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'metrics-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const env = { FRAMEWORK_OBSERVABILITY_DIR: folder, OTEL_TRACES_EXPORTER: '' }
  const { server, spans } = await tracedProject(t, () => {}, env)
  server.mount([ObservabilityRoutes], {})
  await server.inject({ url: '/metrics' })
  assert.equal(Tracers.current, null)
  assert.deepEqual(await spans(), [])
})
