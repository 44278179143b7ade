import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter } from './counter.ts'
import { Gauge } from './gauge.ts'
import { Histogram } from './histogram.ts'

function labelsOf(counter: Counter): unknown[] {
  return counter.members().map(({ labels }) => labels)
}

test('equal labels give the same member, in whatever order they come', () => {
  const counter = new Counter('requests_total', { labels: { app: 'shop' } })
  const member = counter.with({ route: '/', method: 'GET' })
  assert.equal(counter.with({ route: '/', method: 'GET' }), member)
  assert.equal(counter.with({ method: 'GET', route: '/' }), member)
  assert.equal(counter.with({ app: 'shop', method: 'GET', route: '/' }), member)
  assert.deepEqual(member.labels, { app: 'shop', method: 'GET', route: '/' })
  assert.notEqual(counter.with({ route: '/', method: 'POST' }), member)
  assert.notEqual(counter.with({ route: '/' }), member)
  assert.equal(counter.members().length, 3)
})

test('swapped values of two labels are two members', () => {
  const counter = new Counter('moves_total')
  const there = counter.with({ from: 'a', to: 'b' })
  const back = counter.with({ to: 'a', from: 'b' })
  assert.notEqual(there, back)
  assert.deepEqual(
    [there.labels, back.labels],
    [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ],
  )
})

test('a member of a member is a member of the root', () => {
  const counter = new Counter('requests_total')
  const deep = counter.with({ route: '/' }).with({ method: 'GET' })
  assert.equal(deep, counter.with({ route: '/', method: 'GET' }))
  assert.equal(deep.root, counter)
  assert.equal(counter.root, counter)
  assert.deepEqual(deep.members(), [deep])
  assert.equal(counter.members().length, 2)
})

test('no labels, or those of the root, return the root', () => {
  const counter = new Counter('requests_total', { labels: { app: 'shop' } })
  assert.equal(counter.with({}), counter)
  assert.equal(counter.with({ app: 'shop' }), counter)
  assert.equal(counter.with({ route: '/' }).with({}), counter.with({ route: '/' }))
})

test('a member takes help, merge and buckets after the root', () => {
  const gauge = new Gauge('age', { help: 'Age.', merge: 'max' }).with({ a: '1' })
  assert.deepEqual([gauge.help, gauge.merge], ['Age.', 'max'])
  const histogram = new Histogram('size', { buckets: [1] }).with({ a: '1' })
  assert.deepEqual(histogram.read().buckets, { '1': 0, '+Inf': 0 })
})

test('a root with members shows only if it was used itself', () => {
  const counter = new Counter('a_total')
  assert.deepEqual(labelsOf(counter), [{}])
  counter.with({ a: '1' })
  assert.deepEqual(labelsOf(counter), [{ a: '1' }])
  counter.increment()
  assert.deepEqual(labelsOf(counter), [{}, { a: '1' }])

  const gauge = new Gauge('b')
  gauge.with({ a: '1' })
  assert.equal(gauge.members().length, 1)
  gauge.set(0)
  assert.equal(gauge.members().length, 2)

  const histogram = new Histogram('c')
  histogram.with({ a: '1' })
  assert.equal(histogram.members().length, 1)
  histogram.observe(99)
  assert.equal(histogram.members().length, 2)

  const observed = new Counter('d_total', { observe: () => 0 })
  observed.with({ a: '1' })
  assert.equal(observed.members().length, 2)
})

test('above the cap everything counts in one series, with a single warning', () => {
  const warnings: unknown[] = []
  const counter = new Counter('requests_total', {
    labels: { app: 'shop' },
    cap: 2,
    onOverflow: (name, cap) => warnings.push([name, cap]),
  })
  const first = counter.with({ path: '/1' })
  counter.with({ path: '/2' }).increment()
  assert.deepEqual(warnings, [])
  for (const path of ['/3', '/4', '/5']) counter.with({ path }).increment()
  assert.deepEqual(warnings, [['requests_total', 2]])
  const overflow = counter.with({ path: '/6' })
  assert.deepEqual(overflow.read(), { labels: { app: 'shop', overflow: 'true' }, value: 3 })
  assert.equal(counter.with({ path: '/1' }), first)
  assert.equal(counter.with({ overflow: 'true' }), overflow)
  assert.equal(counter.members().length, 3)
})

test('without onOverflow the process emits one warning that says what to do', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error): number => warnings.push(warning)
  process.on('warning', listen)
  const counter = new Counter('warned_total', { cap: 1 })
  for (const path of ['/1', '/2', '/3']) counter.with({ path }).increment()
  await new Promise(setImmediate)
  process.off('warning', listen)
  const told = warnings.filter(({ message }) => message.includes('warned_total'))
  assert.equal(told.length, 1)
  assert.match(told[0]?.message ?? '', /^the metric warned_total has reached its cap of 1 series/)
})

test('the default cap is a thousand, even after 100,000 values', () => {
  const counter = new Counter('requests_total', { onOverflow: () => {} })
  for (let value = 0; value < 100_000; value++) counter.with({ path: String(value) }).increment()
  assert.equal(counter.members().length, 1_001)
  const total = counter.members().reduce((sum, member) => sum + member.read().value, 0)
  assert.equal(total, 100_000)
  assert.equal(counter.with({ path: 'new' }).read().value, 99_000)
})

test('a warning that fails does not disturb the counting', () => {
  const counter = new Counter('requests_total', {
    cap: 1,
    onOverflow: () => {
      throw new Error('the log is full')
    },
  })
  counter.with({ path: '/1' })
  counter.with({ path: '/2' }).increment()
  assert.equal(counter.with({ path: '/3' }).read().value, 1)
})

test('labels that cannot be used are refused, known or new', () => {
  const counter = new Counter('requests_total')
  counter.with({ status: '200' })
  for (const labels of [{ status: 200 }, { status: undefined }, { 'x-y': '1' }, null, 'a']) {
    assert.throws(() => Reflect.apply(counter.with.bind(counter), null, [labels]), {
      code: 'E_METRIC_LABEL',
    })
  }
  assert.equal(counter.members().length, 1)
})

test('an empty text is a value like any other', () => {
  const counter = new Counter('requests_total')
  const empty = counter.with({ path: '' })
  assert.equal(counter.with({ path: '' }), empty)
  assert.deepEqual(empty.labels, { path: '' })
  assert.throws(() => Reflect.apply(counter.with.bind(counter), null, [{ path: undefined }]))
})

test('an instrument cannot be changed later, not even through its options', () => {
  const labels = { route: '/' }
  const buckets = [1, 2]
  const options = { help: 'Help.', labels, buckets, cap: 1, merge: 'sum' as const }
  const instruments = [
    new Counter('a_total', options),
    new Gauge('a', options),
    new Histogram('a_seconds', options),
    new Counter('b_total').with(labels),
  ]
  const before = instruments.map((one) => JSON.stringify(one.read()))
  for (const instrument of instruments) {
    for (const key of ['name', 'help', 'labels', 'type', 'merge']) {
      if (!Object.hasOwn(instrument, key)) continue
      assert.equal(Reflect.set(instrument, key, 'other'), false, key)
      assert.equal(Reflect.deleteProperty(instrument, key), false, key)
    }
    assert.equal(Reflect.set(instrument.labels, 'route', 'other'), false)
    assert.equal(Reflect.set(instrument.labels, 'more', 'other'), false)
  }
  labels.route = 'other'
  buckets.push(3)
  options.cap = Number.NaN
  assert.deepEqual(
    instruments.map((one) => JSON.stringify(one.read())),
    before,
  )
  const [counter] = instruments
  const paths = ['/a', '/b', '/c'].map((path) => counter?.with({ path }).labels['overflow'])
  assert.deepEqual(paths, [undefined, 'true', 'true'], 'the cap is the one that was checked')
  assert.equal(Reflect.set(Histogram, 'BUCKETS', [1]), false)
})
