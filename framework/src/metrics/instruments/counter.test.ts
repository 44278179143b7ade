import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter } from './counter.ts'

test('a counter starts at 0 and adds the given numbers', () => {
  const counter = new Counter('jobs_total', { help: 'Jobs.', labels: { queue: 'mail' } })
  assert.deepEqual(counter.read(), { labels: { queue: 'mail' }, value: 0 })
  counter.increment()
  counter.increment(2)
  counter.increment(0.5)
  counter.increment(0)
  assert.deepEqual(counter.read(), { labels: { queue: 'mail' }, value: 3.5 })
})

test('a counter knows its name, type, help, labels and way to merge', () => {
  const { name, type, help, labels, merge } = new Counter('jobs_total')
  assert.deepEqual(
    { name, type, help, labels, merge },
    {
      name: 'jobs_total',
      type: 'counter',
      help: '',
      labels: {},
      merge: 'sum',
    },
  )
})

test('a counter rejects negative and non-finite numbers', () => {
  const counter = new Counter('jobs_total')
  for (const by of [-1, -0.001, NaN, Infinity, -Infinity, '5', null, 5n, {}]) {
    assert.throws(() => Reflect.apply(counter.increment.bind(counter), null, [by]), {
      name: 'InvalidArgumentException',
      code: 'E_METRIC_VALUE',
    })
  }
  assert.equal(counter.read().value, 0)
  assert.throws(() => counter.increment(-2), /jobs_total: increment takes .* at least 0; got -2/)
})

test('an observed counter is read from its function', () => {
  let bytes = 10
  const counter = new Counter('bytes_total', { observe: () => bytes })
  assert.equal(counter.read().value, 10)
  bytes = 25
  counter.increment(1_000)
  assert.equal(counter.read().value, 25)
})

test('read passes on errors of observe, and rejects invalid values', () => {
  const broken = new Counter('a_total', {
    observe: () => {
      throw new RangeError('no')
    },
  })
  assert.throws(() => broken.read(), RangeError)
  assert.throws(() => new Counter('a_total', { observe: () => -1 }).read(), {
    code: 'E_METRIC_VALUE',
  })
  const later: unknown = Promise.resolve(1)
  const counter: unknown = Reflect.construct(Counter, ['a_total', { observe: () => later }])
  assert.ok(counter instanceof Counter)
  assert.throws(
    () => counter.read(),
    /a_total: observe must return a number; got a value of type object/,
  )
})

test('options that cannot be used are refused when the instrument is made', () => {
  const refused = (options: object, code: string): void => {
    assert.throws(() => Reflect.construct(Counter, ['a_total', options]), { code })
  }
  refused({ help: 7 }, 'E_INVALID_ARGUMENT')
  refused({ merge: 'average' }, 'E_INVALID_ARGUMENT')
  refused({ cap: 0 }, 'E_INVALID_ARGUMENT')
  refused({ cap: 1.5 }, 'E_INVALID_ARGUMENT')
  refused({ labels: { a: 1 } }, 'E_METRIC_LABEL')
  assert.throws(() => new Counter('a-b'), { code: 'E_METRIC_NAME' })
})
