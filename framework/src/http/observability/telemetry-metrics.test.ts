import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsOf } from '../../metrics/buckets.ts'
import { RouteDurations } from './telemetry-metrics.ts'

const routes = [
  { method: 'GET', pattern: '/' },
  { method: 'GET', pattern: '/users/:id' },
  { method: 'POST', pattern: '/users/:id' },
  { method: 'PURGE', pattern: '/cache' },
]

/** The labels of all series, and how often each was observed. */
function counts(durations: RouteDurations): Record<string, number> {
  return Object.fromEntries(
    durations.histogram.members().map((member) => {
      const { labels, count } = member.read()
      const {
        http_request_method = '-',
        http_route = '-',
        http_response_status_code = '-',
      } = labels
      return [`${http_request_method} ${http_route} ${http_response_status_code}`, count]
    }),
  )
}

test('a request counts under its method, route and status', () => {
  const durations = new RouteDurations(routes)
  durations.observe('GET', '/users/:id', 200, 0.01)
  durations.observe('GET', '/users/:id', 200, 0.02)
  durations.observe('GET', '/users/:id', 404, 0.01)
  durations.observe('POST', '/users/:id', 200, 0.01)
  durations.observe('HEAD', '/', 200, 0.01)
  assert.deepEqual(counts(durations), {
    'GET /users/:id 200': 2,
    'GET /users/:id 404': 1,
    'POST /users/:id 200': 1,
    'HEAD / 200': 1,
  })
})

test('a series has the span of a request as its exemplar', () => {
  const durations = new RouteDurations(routes)
  const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)]
  durations.observe('GET', '/', 200, 0.02, { traceId, spanId })
  durations.observe('GET', '/', 404, 0.02)
  const [found, missing] = durations.histogram.members().map((member) => member.read().exemplars)
  assert.deepEqual(Object.keys(found ?? {}), ['0.025'])
  assert.equal(found?.['0.025']?.traceId, traceId)
  assert.equal(missing, undefined)
})

test('requests without a route have no http_route, those without a response no status', () => {
  const durations = new RouteDurations(routes)
  durations.observe('GET', null, 404, 0.01)
  durations.observe('GET', '/', 0, 0.01)
  assert.deepEqual(
    durations.histogram.members().map(({ labels }) => labels),
    [
      { http_request_method: 'GET', http_response_status_code: '404' },
      { http_request_method: 'GET', http_route: '/' },
    ],
  )
})

test('unusual methods share their series, unless a route has one', () => {
  const durations = new RouteDurations(routes)
  for (const method of ['PURGE', 'FOO', 'BAR', 'get']) durations.observe(method, null, 405, 0.01)
  assert.deepEqual(counts(durations), { 'PURGE - 405': 1, '_OTHER - 405': 3 })
})

test('the bounds are those of the convention', () => {
  const durations = new RouteDurations([])
  durations.observe('GET', null, 200, 0.06)
  const [series] = durations.histogram.members()
  assert.deepEqual(
    boundsOf(series?.read().buckets ?? {}).map(Number),
    [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  )
})

test('there are at most a thousand series, or ten for each route', (t) => {
  t.mock.method(process, 'emitWarning', () => {})
  const many = Array.from({ length: 200 }, (_, at) => ({ method: 'GET', pattern: `/${at}` }))
  for (const [declared, most] of [
    [[], 1_000],
    [many, 2_000],
  ] as const) {
    const durations = new RouteDurations(declared)
    for (let at = 0; at < 2_500; at += 1) durations.observe('GET', `/${at}`, 200, 0.01)
    const members = durations.histogram.members()
    assert.equal(members.length, most + 1)
    assert.equal(members.at(-1)?.labels['overflow'], 'true')
    assert.equal(members.at(-1)?.read().count, 2_500 - most)
  }
})
