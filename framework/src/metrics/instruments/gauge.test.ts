import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gauge } from './gauge.ts'

test('a gauge goes both ways', () => {
  const gauge = new Gauge('depth', { labels: { queue: 'mail' } })
  assert.deepEqual(gauge.read(), { labels: { queue: 'mail' }, value: 0 })
  gauge.set(10)
  gauge.increment()
  gauge.increment(0.5)
  gauge.decrement()
  gauge.decrement(12)
  gauge.increment(-1)
  assert.equal(gauge.read().value, -2.5)
})

test('a gauge can be set to non-finite numbers, but not incremented by them', () => {
  const gauge = new Gauge('depth')
  gauge.set(NaN)
  assert.equal(gauge.read().value, NaN)
  gauge.set(-Infinity)
  assert.equal(gauge.read().value, -Infinity)
  gauge.set(1)
  for (const by of [NaN, Infinity, '1', null, 1n]) {
    for (const verb of [gauge.increment.bind(gauge), gauge.decrement.bind(gauge)]) {
      assert.throws(() => Reflect.apply(verb, null, [by]), { code: 'E_METRIC_VALUE' })
    }
  }
  assert.throws(() => Reflect.apply(gauge.set.bind(gauge), null, ['3']), { code: 'E_METRIC_VALUE' })
  assert.equal(gauge.read().value, 1)
})

test('an observed gauge is read from its function', () => {
  let depth = 3
  const gauge = new Gauge('depth', { observe: () => depth })
  depth = -4
  assert.deepEqual(gauge.read(), { labels: {}, value: -4 })
})
