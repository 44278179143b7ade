import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter, event } from './emitter.ts'

const Saved = event<[id: number, title: string]>('post.saved')

test('a listener receives the payload of its event', () => {
  const emitter = new Emitter()
  const seen: unknown[] = []
  emitter.listen(Saved, (id, title) => seen.push([id, title]))
  emitter.emit(Saved, 7, 'Ada')
  assert.deepEqual(seen, [[7, 'Ada']])
})

test('listeners run by priority, then in the order they came', () => {
  const emitter = new Emitter()
  const order: string[] = []
  emitter.listen(Saved, () => order.push('first'))
  emitter.listen(Saved, () => order.push('second'))
  emitter.listen(Saved, () => order.push('urgent'), 10)
  emitter.emit(Saved, 1, '')
  assert.deepEqual(order, ['urgent', 'first', 'second'])
})

test('a listener that throws or rejects is reported and the others still run', async () => {
  const failures: [unknown, string][] = []
  const emitter = new Emitter((throwable, name) => failures.push([throwable, name]))
  let reached = false
  const thrown = new Error('thrown')
  const rejected = new Error('rejected')
  emitter.listen(Saved, () => {
    throw thrown
  })
  emitter.listen(Saved, () => Promise.reject(rejected))
  emitter.listen(Saved, () => {
    reached = true
  })
  emitter.emit(Saved, 1, '')
  await Promise.resolve()
  assert.equal(reached, true)
  assert.deepEqual(failures, [
    [thrown, 'post.saved'],
    [rejected, 'post.saved'],
  ])
})

test('hasListeners is false before the first listener is added and after the last is removed', () => {
  const emitter = new Emitter()
  assert.equal(emitter.hasListeners(Saved), false)
  const leave = emitter.listen(Saved, () => {})
  assert.equal(emitter.hasListeners(Saved), true)
  leave()
  assert.equal(emitter.hasListeners(Saved), false)
})

test('there is one channel per event and bus', () => {
  const emitter = new Emitter()
  const seen: unknown[] = []
  const channel = emitter.channel(Saved)
  assert.equal(channel.hasListeners, false)
  const leave = emitter.listen(Saved, (id, title) => seen.push([id, title]))
  assert.equal(channel.hasListeners, true)
  channel.emit(7, 'Ada')
  channel.listen((id) => seen.push(id), 1)
  emitter.emit(Saved, 8, 'Bo')
  assert.deepEqual(seen, [[7, 'Ada'], 8, [8, 'Bo']])
  leave()
  assert.equal(emitter.channel(Saved), channel)
  assert.equal(new Emitter().channel(Saved).hasListeners, false)
})

test('a listener that leaves while the event is emitted does not disturb the others', () => {
  const emitter = new Emitter()
  const seen: string[] = []
  const leave = emitter.listen(Saved, () => {
    seen.push('once')
    leave()
  })
  emitter.listen(Saved, () => seen.push('always'))
  emitter.emit(Saved, 1, '')
  emitter.emit(Saved, 2, '')
  assert.deepEqual(seen, ['once', 'always', 'always'])
})

test('two events of the same name are two events', () => {
  const emitter = new Emitter()
  const Other = event<[id: number, title: string]>('post.saved')
  emitter.listen(Other, () => assert.fail('heard the wrong event'))
  emitter.emit(Saved, 1, '')
})
