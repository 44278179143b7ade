import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Snapshot } from '../snapshot.ts'
import { PrometheusExporter } from './prometheus.ts'

function gauges(count: number): Snapshot {
  const snapshot = new Snapshot(1)
  const series = Array.from({ length: count }, (_, at) => ({ labels: { at: `${at}` }, value: at }))
  snapshot.add('g', { type: 'gauge', help: '', series })
  return snapshot
}

function line(value: number): string {
  const snapshot = new Snapshot(1)
  snapshot.add('g', { type: 'gauge', help: '', series: [{ labels: {}, value }] })
  return new PrometheusExporter().export(snapshot).split('\n')[1] ?? ''
}

test('values are written whole where they are, and by name where they are no numbers', () => {
  const written = [0, -0, 1, -2, 0.1, 1e6, 2 ** 53, 1e21, 1.5e-9, NaN, Infinity, -Infinity].map(
    line,
  )
  assert.deepEqual(written, [
    'g 0',
    'g 0',
    'g 1',
    'g -2',
    'g 0.1',
    'g 1000000',
    'g 9007199254740992',
    'g 1e+21',
    'g 1.5e-9',
    'g NaN',
    'g +Inf',
    'g -Inf',
  ])
})

test('help has its own escapes and no line when it is empty', () => {
  const snapshot = new Snapshot(1)
  const series = [{ labels: {}, value: 1 }]
  snapshot.add('a', { type: 'gauge', help: 'A "path" C:\\new\nand more', series })
  snapshot.add('b', { type: 'gauge', help: '', series })
  assert.equal(
    new PrometheusExporter().export(snapshot),
    '# HELP a A "path" C:\\\\new\\nand more\n# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n',
  )
})

test('a namespace prefixes every name, including histogram samples', () => {
  const snapshot = new Snapshot(1)
  const series = [{ labels: {}, buckets: { '+Inf': 1 }, sum: 2, count: 1 }]
  snapshot.add('size', { type: 'histogram', help: 'Size.', series })
  const expected =
    '# HELP shop_size Size.\n# TYPE shop_size histogram\n' +
    'shop_size_bucket{le="+Inf"} 1\nshop_size_sum 2\nshop_size_count 1\n'
  for (const namespace of ['shop', 'shop_']) {
    assert.equal(new PrometheusExporter({ namespace }).export(snapshot), expected)
  }
  assert.throws(() => new PrometheusExporter({ namespace: 'my shop' }), { code: 'E_METRIC_NAME' })
})

const maxLines = 2 * 2_048

test('the chunks are the text, in pieces of bounded length', () => {
  const exporter = new PrometheusExporter()
  for (const count of [1, 2_047, 2_048, 2_049, 4_096, 20_000]) {
    const chunks = [...exporter.chunks(gauges(count))]
    assert.equal(chunks.join(''), exporter.export(gauges(count)))
    assert.equal(chunks.join('').split('\n').length, count + 2)
    assert.ok(chunks.length >= count / maxLines)
    for (const chunk of chunks) {
      assert.notEqual(chunk, '')
      assert.ok(chunk.split('\n').length <= maxLines)
    }
  }
})

test('histograms weigh as much as they have lines', () => {
  const snapshot = new Snapshot(1)
  const buckets = { '1': 1, '2': 1, '+Inf': 1 }
  const series = Array.from({ length: 2_000 }, (_, at) => {
    return { labels: { at: `${at}` }, buckets, sum: 1, count: 1 }
  })
  snapshot.add('h', { type: 'histogram', help: '', series })
  const chunks = [...new PrometheusExporter().chunks(snapshot)]
  assert.equal(chunks.join('').split('\n').length, 2_000 * 5 + 2)
  for (const chunk of chunks) assert.ok(chunk.split('\n').length <= maxLines)
})

test('chunks of many small metrics are bounded as well, and come when they are asked for', () => {
  const snapshot = new Snapshot(1)
  for (let at = 0; at < 5_000; at++) {
    snapshot.add(`g${at}`, { type: 'gauge', help: '', series: [{ labels: {}, value: at }] })
  }
  const chunks = new PrometheusExporter().chunks(snapshot)
  assert.equal(chunks.next().value?.split('\n').length, 2_048 * 2 + 1)
  snapshot.add('g4999', { type: 'gauge', help: '', series: [{ labels: {}, value: 1 }] })
  assert.match([...chunks].join(''), /g4999 5000\n$/)
})

test('an empty snapshot is an empty text', () => {
  assert.equal(new PrometheusExporter().export(new Snapshot()), '')
  const bare = new Snapshot()
  bare.add('g', { type: 'gauge', help: 'None yet.', series: [] })
  assert.equal(new PrometheusExporter().export(bare), '')
  assert.deepEqual([...new PrometheusExporter().chunks(new Snapshot())], [])
})

test('of two metrics that would write samples of one name the first is written', () => {
  const snapshot = new Snapshot(1)
  const buckets = { '+Inf': 1 }
  const values = [{ labels: {}, value: 7 }]
  // As two workers may bring them, neither of which saw the other's.
  snapshot.add('wait', {
    type: 'histogram',
    help: '',
    series: [{ labels: {}, buckets, sum: 1, count: 1 }],
  })
  snapshot.add('wait_count', { type: 'counter', help: '', series: values })
  snapshot.add('waits', { type: 'counter', help: '', series: values })
  assert.equal(
    new PrometheusExporter().export(snapshot),
    '# TYPE wait histogram\nwait_bucket{le="+Inf"} 1\nwait_sum 1\nwait_count 1\n' +
      '# TYPE waits counter\nwaits 7\n',
  )
})
