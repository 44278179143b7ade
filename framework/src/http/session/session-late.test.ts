import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { MemorySessions } from './memory-sessions.ts'
import type { SessionStore } from './session-store.ts'

/** A store as those behind a connection are: what it reads comes in a later turn. */
function late(): { readonly store: SessionStore; readonly calls: string[] } {
  const calls: string[] = []
  const store = new Proxy(new MemorySessions(), {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== 'function') return method
      return async (...given: unknown[]): Promise<unknown> => {
        calls.push(String(name))
        await new Promise(setImmediate)
        return Reflect.apply(method, target, given)
      }
    },
  })
  return { store, calls }
}

test('a store that answers later is asked once for all that a request reads and writes', async () => {
  const { store, calls } = late()
  const ada = new SessionSite(store).visitor()
  await ada.sets('a', 1)
  calls.length = 0
  const { outcome } = await ada.does(async (session) => {
    const both = await Promise.all([session.get('a'), session.get('b')])
    return [...both, await session.get('a'), await session.has('a')]
  })
  assert.deepEqual(outcome, [1, null, 1, true])
  assert.deepEqual(calls, ['read'])
  await ada.sets('b', 2)
  assert.deepEqual(calls, ['read', 'read', 'save'])
  assert.deepEqual([await ada.sees('a'), await ada.sees('b')], [1, 2])
})

test('a session in a store that answers later is renewed by reading', async () => {
  const clock = { now: 1000 }
  const { store, calls } = late()
  const ada = new SessionSite(store, { clock: () => clock.now }).visitor()
  await ada.sets('a', 1)
  calls.length = 0
  clock.now += 60
  assert.equal(await ada.sees('a'), 1)
  assert.deepEqual(calls, ['read', 'touch'])
})

test('a write to a session that ends before it is saved brings nothing back, however late it is read', async () => {
  const { store } = late()
  const site = new SessionSite(store)
  const ada = site.visitor()
  await ada.sets('identity', '7')
  const { answer } = await ada.does(async (session) => {
    session.set('b', 1)
    await session.get('b')
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    await site.sessions.revoke('7')
  })
  assert.deepEqual([answer.status, answer.cookies], [200, []])
  assert.equal(await ada.sees('b'), null)
})

test('a request can ask whether its session has ended since', async () => {
  const site = new SessionSite(late().store)
  const ada = site.visitor()
  await ada.sets('identity', '7')
  const { outcome } = await ada.does(async (session) => {
    const before = await session.hasEnded()
    await site.sessions.revoke('7')
    return [before, await session.hasEnded()]
  })
  assert.deepEqual(outcome, [false, true])
  const guest = await site.visitor().does((session) => session.hasEnded())
  assert.equal(guest.outcome, false, 'whoever has none loses none')
})
