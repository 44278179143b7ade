import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { RunClaim, ScheduleStore } from '../../src/schedule/schedule-store.ts'

/** Opens an empty store. */
export type OpenSchedule = (t: TestContext) => Promise<ScheduleStore>

const startMs = 1_767_225_600_000
const digest = { task: 'digest', expression: '0 7 * * 1 UTC' }

/** A claim of the due time a minute after the start. */
function claimBy(token: string | null): RunClaim {
  const dueMs = startMs + 60_000
  const lease = token === null ? null : { token, untilMs: startMs + 120_000 }
  return { dueMs, runDueMs: dueMs, missed: 0, nowMs: startMs + 60_005, lease }
}

/** What every store of schedules promises. */
export function scheduleStoreContract(open: OpenSchedule): void {
  test('a task is registered once, and due after that', async (t) => {
    const store = await open(t)
    await store.register([digest], startMs)
    await store.register([digest, { task: 'another', expression: 'every 60 s' }], startMs + 5_000)
    const states = await store.list()
    assert.deepEqual(
      states.map(({ task, dueMs }) => [task, dueMs]),
      [
        ['another', startMs + 5_000],
        ['digest', startMs],
      ],
    )
    assert.deepEqual(states[1], {
      ...digest,
      dueMs: startMs,
      lease: null,
      leaseMs: 0,
      runDueMs: null,
      startedMs: null,
      endedMs: null,
      outcome: null,
      reason: null,
      successMs: null,
      runs: 0,
      failures: 0,
      skipped: 0,
      missed: 0,
    })
    assert.equal(await store.find('unknown'), null)
  })

  test('a changed expression begins anew, and never earlier than the last due time', async (t) => {
    const store = await open(t)
    await store.register([digest], startMs)
    const changed = { task: 'digest', expression: 'every 60 s' }
    await store.register([changed], startMs + 7_000)
    assert.equal((await store.find('digest'))?.dueMs, startMs + 7_000)
    await store.register([digest], startMs - 7_000)
    const { expression, dueMs } = (await store.find('digest')) ?? {}
    assert.deepEqual([expression, dueMs], [digest.expression, startMs + 7_000])
  })

  test('a claim based on an old state is refused', async (t) => {
    const store = await open(t)
    await store.register([digest], startMs)
    const seen = (await store.find('digest')) ?? assert.fail('it is not there')
    assert.equal(await store.claim(seen, claimBy('first')), true)
    assert.equal(await store.claim(seen, claimBy('second')), false)
    assert.equal(await store.pass(seen, { dueMs: startMs + 60_000, skipped: 1, missed: 0 }), false)
    const state = await store.find('digest')
    assert.deepEqual(
      [state?.lease, state?.leaseMs, state?.dueMs, state?.startedMs, state?.skipped],
      ['first', startMs + 120_000, startMs + 60_000, startMs + 60_005, 0],
    )
  })

  test('a lease is kept and ended only by its owner', async (t) => {
    const store = await open(t)
    await store.register([digest], startMs)
    const seen = (await store.find('digest')) ?? assert.fail('it is not there')
    await store.claim(seen, claimBy('first'))
    assert.equal(await store.extend('digest', 'second', startMs), false)
    assert.equal(await store.extend('digest', 'first', startMs + 180_000), true)
    const end = {
      task: 'digest',
      outcome: 'done',
      reason: null,
      endedMs: startMs + 61_000,
    } as const
    assert.equal(await store.finish({ ...end, token: 'second' }), false)
    assert.equal(await store.finish({ ...end, token: null }), false)
    assert.equal(await store.finish({ ...end, token: 'first' }), true)
    assert.equal(await store.finish({ ...end, token: 'first' }), false)
    const state = await store.find('digest')
    assert.deepEqual(
      [state?.lease, state?.outcome, state?.successMs, state?.runs, state?.failures],
      [null, 'done', startMs + 61_000, 1, 0],
    )
  })

  test('failed, lost, skipped and missed times are counted', async (t) => {
    const store = await open(t)
    await store.register([digest], startMs)
    const state = async (): Promise<NonNullable<Awaited<ReturnType<ScheduleStore['find']>>>> =>
      (await store.find('digest')) ?? assert.fail('it is not there')
    await store.claim(await state(), claimBy('dead'))
    await store.claim(await state(), { ...claimBy('next'), missed: 2 })
    const failed = { outcome: 'failed', reason: 'TypeError', endedMs: startMs + 90_000 } as const
    await store.finish({ task: 'digest', token: 'next', ...failed })
    await store.pass(await state(), { dueMs: startMs + 300_000, skipped: 1, missed: 3 })
    const { dueMs, reason, successMs, runs, failures, skipped, missed } = await state()
    assert.deepEqual(
      { dueMs, reason, successMs, runs, failures, skipped, missed },
      {
        dueMs: startMs + 300_000,
        reason: 'TypeError',
        successMs: null,
        runs: 1,
        failures: 2,
        skipped: 1,
        missed: 5,
      },
    )
  })

  test('runs that may overlap have no lease', async (t) => {
    const store = await open(t)
    await store.register([digest], startMs)
    const seen = (await store.find('digest')) ?? assert.fail('it is not there')
    assert.ok(await store.claim(seen, claimBy(null)))
    const end = { task: 'digest', token: null, outcome: 'done', reason: null } as const
    assert.ok(await store.finish({ ...end, endedMs: startMs + 61_000 }))
    assert.ok(await store.finish({ ...end, endedMs: startMs + 62_000 }))
    assert.equal((await store.find('digest'))?.runs, 2)
  })

  test('tasks that are gone are forgotten, but not those that are known or were due', async (t) => {
    const store = await open(t)
    const named = (task: string): typeof digest => ({ ...digest, task })
    await store.register([named('known'), named('gone')], startMs)
    await store.register([named('recent')], startMs + 10_000)
    assert.equal(await store.forget(['known'], startMs + 10_000), 1)
    assert.deepEqual(
      (await store.list()).map(({ task }) => task),
      ['known', 'recent'],
    )
  })
}
