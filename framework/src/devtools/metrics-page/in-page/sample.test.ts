import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './sample.ts'
import type { Sample } from './sample.ts'

function sampleOf(metrics: object): Sample {
  const sample = readSample({ timestamp: 12.5, metrics })
  assert.ok(sample)
  return sample
}

const one = (value: number, labels: object = {}): object => ({ labels, value })

test('a document becomes series with their sorted labels', () => {
  const { at, series } = sampleOf({
    a_total: { type: 'counter', help: '', series: [one(3, { z: '1', a: 'x"y' })] },
    h: { series: [{ labels: {}, buckets: { 1: 2, '+Inf': 3 }, sum: 4.5, count: 3 }] },
  })
  assert.equal(at, 12.5)
  assert.deepEqual(series, [
    { metric: 'a_total', labels: 'a="x\\"y", z="1"', value: 3, sum: null },
    { metric: 'h', labels: '', value: 3, sum: 4.5 },
  ])
})

test('what charts and tables show has keys of its own, summed where they are equal', () => {
  const route = (method: string, path: string, status: string, count: number): object => ({
    labels: {
      http_request_method: method,
      http_route: path,
      http_response_status_code: status,
    },
    buckets: { '0.1': count - 1, '+Inf': count },
    sum: 1,
    count,
  })
  const { counters, gauges } = sampleOf({
    http_requests_total: { series: [one(30)] },
    http_responses_total: { series: [one(9, { class: '5xx' }), one(1, { class: '2xx' })] },
    process_cpu_seconds_total: { series: [one(2.5, { pid: '7' })] },
    http_server_request_duration_seconds: {
      series: [route('GET', '/a', '200', 5), route('GET', '/a', '500', 2)],
    },
    http_requests_in_flight: { series: [one(1), one(2)] },
    process_memory_bytes: { series: [one(10, { pid: '7' })] },
    other_total: { series: [one(1)] },
  })
  assert.deepEqual(Object.fromEntries(counters), {
    requests: 30,
    'responses 5xx': 9,
    'responses 2xx': 1,
    'cpu 7': 2.5,
    'route GET /a 0.1': 5,
    'route GET /a +Inf': 7,
    'route GET /a 5xx': 2,
  })
  assert.deepEqual(Object.fromEntries(gauges), { 'in-flight': 3, 'memory 7': 10 })
})

test('anything but a metrics document is null', () => {
  const strange = [null, 7, 'x', [], {}, { timestamp: 'x', metrics: {} }, { timestamp: 1 }]
  for (const document of strange) assert.equal(readSample(document), null)
  assert.equal(readSample({ timestamp: NaN, metrics: {} }), null)
  assert.equal(readSample({ timestamp: 1, metrics: [] }), null)
})

test('parts that make no sense are left out, and harm no others', () => {
  const { series, counters } = sampleOf({
    number: 5,
    listless: { series: {} },
    http_request_duration_seconds: {
      series: [
        null,
        7,
        { value: 1 },
        { labels: [], value: 1 },
        { labels: {}, value: '1' },
        { labels: {}, value: Infinity },
        { labels: {}, buckets: { 1: 'x' }, sum: 1 },
        { labels: {}, buckets: { 1: 'x', '+Inf': 1 }, sum: 1, count: 1 },
      ],
    },
    other: { series: [{ labels: { pid: 7 }, value: 2 }] },
  })
  assert.deepEqual(
    series.map(({ labels, value }) => [labels, value]),
    [
      ['', 1],
      ['pid="7"', 2],
    ],
  )
  assert.deepEqual([...counters], [['latency +Inf', 1]])
})
