import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMetricName, isMetricName } from './metric-name.ts'

test('a metric name has letters, digits, underscores and colons, no digit first', () => {
  for (const name of ['a', '_x', 'http_requests_total', 'job:rate:5m', 'constructor']) {
    assert.equal(checkMetricName(name), name)
  }
  for (const name of ['', '1a', 'http-requests', 'http requests', 'é', 'a\n', '__proto__']) {
    assert.equal(isMetricName(name), false, name)
    assert.throws(() => checkMetricName(name), { code: 'E_METRIC_NAME' })
  }
})

test('the error shows the invalid name, shortened if long', () => {
  assert.throws(
    () => checkMetricName('http-requests'),
    /not starting with a digit.*got "http-requests"/,
  )
  assert.throws(
    () => checkMetricName('-'.repeat(10_000)),
    (error) => error instanceof Error && error.message.length < 300,
  )
  assert.throws(() => Reflect.apply(checkMetricName, null, [7]), { code: 'E_METRIC_NAME' })
})
