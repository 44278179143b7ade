import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metric } from '../metric.ts'
import { Snapshot } from '../snapshot.ts'
import { OpenMetricsExporter } from './open-metrics.ts'

function write(metrics: Readonly<Record<string, Metric>>): string {
  const snapshot = new Snapshot(1)
  for (const [name, metric] of Object.entries(metrics)) snapshot.add(name, metric)
  return new OpenMetricsExporter().export(snapshot)
}

function one(type: 'counter' | 'gauge', value: number, help = ''): Metric {
  return { type, help, series: [{ labels: {}, value }] }
}

test('every document ends with the mark of its end', () => {
  assert.equal(write({}), '# EOF\n')
})

test('a counter family has no _total in its name and its sample has', () => {
  const text = '# TYPE jobs counter\n# HELP jobs Jobs.\njobs_total 3\n# EOF\n'
  assert.equal(write({ jobs_total: one('counter', 3, 'Jobs.') }), text)
  assert.equal(
    write({ jobs_total: one('gauge', 3) }),
    '# TYPE jobs_total gauge\njobs_total 3\n# EOF\n',
  )
})

test('a counter that is not named so keeps its name, and is of no known type', () => {
  const text = '# TYPE jobs unknown\n# HELP jobs Jobs.\njobs 3\n# EOF\n'
  assert.equal(write({ jobs: one('counter', 3, 'Jobs.') }), text)
})

test('a counter whose family would have a name that is taken is written under its own', () => {
  const buckets = { '+Inf': 1 }
  const series = [{ labels: {}, buckets, sum: 1, count: 1 }]
  const text = write({
    jobs: one('gauge', 1),
    jobs_total: one('counter', 3),
    wait: { type: 'histogram', help: '', series },
    wait_count_total: one('counter', 4),
  })
  assert.match(text, /^# TYPE jobs gauge\njobs 1\n# TYPE jobs_total unknown\njobs_total 3\n/)
  assert.match(text, /\n# TYPE wait_count_total unknown\nwait_count_total 4\n# EOF\n$/)
})

test('seconds and bytes are units', () => {
  assert.equal(
    write({ cpu_seconds_total: one('counter', 1), memory_bytes: one('gauge', 2) }),
    '# TYPE cpu_seconds counter\n# UNIT cpu_seconds seconds\ncpu_seconds_total 1\n' +
      '# TYPE memory_bytes gauge\n# UNIT memory_bytes bytes\nmemory_bytes 2\n# EOF\n',
  )
})

test('help has its quotes escaped too', () => {
  assert.match(write({ a: one('gauge', 1, 'a "b" \\ \n') }), /# HELP a a \\"b\\" \\\\ \\n\n/)
})

test('a gauge may be NaN, a counter may not', () => {
  assert.equal(
    write({ a: one('gauge', NaN), b_total: one('counter', NaN) }),
    '# TYPE a gauge\na NaN\n# TYPE b counter\n# EOF\n',
  )
})

test('bounds are written as Go writes floats', () => {
  const bounds = ['1e-7', '0.0001', '0.5', '1', '10', '100000', '1000000', '1500000', '1e+21']
  const buckets = Object.fromEntries([...bounds, '+Inf'].map((bound) => [bound, 1]))
  const text = write({
    size: {
      type: 'histogram',
      help: '',
      series: [{ labels: { a: 'b' }, buckets, sum: 1, count: 1 }],
    },
  })
  const written = [...text.matchAll(/size_bucket\{a="b",le="([^"]+)"\} 1\n/g)].map(([, le]) => le)
  assert.deepEqual(written, [
    '1e-07',
    '0.0001',
    '0.5',
    '1.0',
    '10.0',
    '100000.0',
    '1e+06',
    '1.5e+06',
    '1e+21',
    '+Inf',
  ])
  assert.match(text, /size_sum\{a="b"\} 1\nsize_count\{a="b"\} 1\n# EOF\n$/)
})

test('a histogram with bounds below zero has no sum, for it could fall', () => {
  const series = [{ labels: {}, buckets: { '-1': 1, '+Inf': 1 }, sum: -3, count: 1 }]
  assert.equal(
    write({ delta: { type: 'histogram', help: '', series } }),
    '# TYPE delta histogram\ndelta_bucket{le="-1.0"} 1\ndelta_bucket{le="+Inf"} 1\n# EOF\n',
  )
})
