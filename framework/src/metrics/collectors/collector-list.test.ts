import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter } from '../instruments/counter.ts'
import { CollectorList } from './collector-list.ts'
import type { Collector } from './collector-list.ts'

test('collectors are run in the order they were pushed, each once', () => {
  const list = new CollectorList(() => assert.fail('nothing failed'))
  const [a, b] = [new Counter('a_total'), new Counter('b_total')]
  const first = { collect: () => [a] }
  assert.equal(list.push(first).push({ collect: () => [b] }, first), list)
  assert.deepEqual(list.collect(), [a, b])
  assert.equal([...list].length, 2)
})

test('a failing or invalid collector contributes nothing and does not affect others', () => {
  const failures: unknown[] = []
  const list = new CollectorList((collector, error) => failures.push([collector, error]))
  const counter = new Counter('a_total')
  const broken: Collector = {
    collect: () => {
      throw new RangeError('no')
    },
  }
  const others: unknown[] = [
    { collect: () => [counter, { name: 'fake', read: () => 1 }] },
    { collect: () => Promise.resolve([counter]) },
    { collect: () => undefined },
  ]
  list.push(broken)
  for (const other of others) Reflect.apply(list.push.bind(list), null, [other])
  list.push({ collect: () => [counter] })
  assert.deepEqual(list.collect(), [counter])
  assert.equal(failures.length, 4)
})

test('closing closes every collector that can be closed and lets go of them', () => {
  const failures: unknown[] = []
  const list = new CollectorList((_, error) => failures.push(error))
  let closed = 0
  const failure = new Error('cannot be closed')
  const stuck = (): never => {
    throw failure
  }
  list.push({ collect: () => [], close: stuck }, { collect: () => [] })
  list.push({ collect: () => [], close: () => void closed++ })
  list.close()
  list.close()
  assert.equal(closed, 1)
  assert.deepEqual(failures, [failure])
  assert.deepEqual([...list], [])
})

test('anything but a collector is rejected', () => {
  const list = new CollectorList(() => {})
  for (const other of [null, undefined, {}, () => [], 'text']) {
    assert.throws(() => Reflect.apply(list.push.bind(list), null, [other]), {
      code: 'E_INVALID_ARGUMENT',
    })
  }
})
