import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Snapshot } from '../snapshot.ts'
import { JsonExporter } from './json.ts'

function gauges(...values: readonly number[]): Snapshot {
  const snapshot = new Snapshot(1_700_000_000.5)
  for (const [at, value] of values.entries()) {
    snapshot.add(`g${at}`, { type: 'gauge', help: '', series: [{ labels: {}, value }] })
  }
  return snapshot
}

test('the document is one line that ends in a newline', () => {
  const snapshot = gauges(0.1 + 0.2)
  snapshot.add('age', {
    type: 'gauge',
    help: 'Said "so"\n',
    merge: 'max',
    series: [{ labels: { b: '2', a: '1"' }, value: -0.5 }],
  })
  snapshot.add('size', {
    type: 'histogram',
    help: '',
    series: [{ labels: {}, buckets: { '10': 2, '0.5': 1, '+Inf': 3 }, sum: 12.25, count: 3 }],
  })
  assert.equal(
    new JsonExporter().export(snapshot),
    '{"timestamp":1700000000.5,"metrics":{' +
      '"g0":{"type":"gauge","help":"","series":[{"labels":{},"value":0.30000000000000004}]},' +
      '"age":{"type":"gauge","help":"Said \\"so\\"\\n","merge":"max",' +
      '"series":[{"labels":{"a":"1\\"","b":"2"},"value":-0.5}]},' +
      '"size":{"type":"histogram","help":"","series":[{"labels":{},' +
      '"buckets":{"0.5":1,"10":2,"+Inf":3},"sum":12.25,"count":3}]}}}\n',
  )
})

test('without metrics the document is there all the same', () => {
  assert.equal(new JsonExporter().export(gauges()), '{"timestamp":1700000000.5,"metrics":{}}\n')
})

test('values survive the way through a document', () => {
  const values = [0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53, -3, 1 / 3]
  const text = new JsonExporter().export(gauges(...values))
  assert.deepEqual(Snapshot.import(JSON.parse(text)).metrics, gauges(...values).metrics)
})

for (const value of [NaN, Infinity, -Infinity]) {
  test(`${value} makes the document empty, or only omits its own series with skipNonFinite`, () => {
    assert.equal(new JsonExporter().export(gauges(1, value)), '')
    const lenient = new JsonExporter({ skipNonFinite: true })
    assert.equal(lenient.export(gauges(1, value, 2)), lenient.export(gauges(1, value, 2)))
    assert.deepEqual(Object.keys(JSON.parse(lenient.export(gauges(1, value, 2))).metrics), [
      'g0',
      'g2',
    ])
    const snapshot = gauges(1)
    const series = [{ labels: {}, buckets: { '+Inf': 1 }, sum: value, count: 1 }]
    snapshot.add('size', { type: 'histogram', help: '', series })
    assert.equal(new JsonExporter().export(snapshot), '')
    assert.equal(lenient.export(snapshot), lenient.export(gauges(1)))
    const timeless = new Snapshot(value)
    assert.deepEqual([new JsonExporter().export(timeless), lenient.export(timeless)], ['', ''])
  })
}
