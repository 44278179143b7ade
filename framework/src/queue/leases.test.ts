import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeasedJob } from './job-store.ts'
import { Leases } from './leases.ts'
import { MemoryJobs } from './memory-jobs.ts'

const newJob = { payload: Buffer.from('x'), delay: 0, digest: null, remember: 60 }

class Bench {
  now = 1_000
  readonly store: MemoryJobs = new MemoryJobs({ clock: () => this.now })
  readonly leases: Leases = new Leases(this.store, {
    visibility: 60,
    nowMs: () => this.now * 1_000,
  })

  async job(): Promise<LeasedJob> {
    await this.store.add('mail', newJob)
    const [job] = await this.store.claim('mail', 1, 60)
    assert.ok(job !== undefined)
    return job
  }
}

test('a lease that is renewed outlives its first end', async () => {
  const bench = new Bench()
  const lost = bench.leases.hold(await bench.job())
  for (let time = 0; time < 6; time++) {
    bench.now += 20
    await bench.leases.renew()
  }
  assert.deepEqual(await bench.store.claim('mail', 1, 60), [])
  assert.equal(lost.aborted, false)
})

test('the signal of a lost lease aborts', async () => {
  const bench = new Bench()
  const [mine, other] = [await bench.job(), await bench.job()]
  const [lost, kept] = [bench.leases.hold(mine), bench.leases.hold(other)]
  await bench.store.complete(mine)
  await bench.leases.renew()
  assert.deepEqual([lost.aborted, kept.aborted], [true, false])
  assert.match(String(lost.reason), /another worker may have taken over this job/)
})

test('a store that is away costs no lease until that has ended', async () => {
  const bench = new Bench()
  const lost = bench.leases.hold(await bench.job())
  bench.store.extend = () => Promise.reject(new Error('away'))
  bench.now += 59
  await bench.leases.renew()
  assert.equal(lost.aborted, false)
  bench.now += 1
  await bench.leases.renew()
  assert.equal(lost.aborted, true)
})

test('a lease that was dropped is not renewed', async () => {
  const bench = new Bench()
  const job = await bench.job()
  bench.leases.hold(job)
  bench.leases.drop(job)
  bench.store.extend = () => assert.fail('renewed')
  await bench.leases.renew()
})

test('leases are renewed three times in their life while started', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const bench = new Bench()
  const renew = t.mock.method(bench.leases, 'renew', async () => {})
  bench.leases.start()
  bench.leases.start()
  t.mock.timers.tick(60_000)
  assert.equal(renew.mock.callCount(), 3)
  bench.leases.stop()
  t.mock.timers.tick(60_000)
  assert.equal(renew.mock.callCount(), 3)
})
