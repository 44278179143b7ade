import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { SubmissionRows } from '../../src/http/submissions/submission-rows.ts'
import type { SubmissionSlot } from '../../src/http/submissions/submission-rows.ts'

const digest = (): string => randomBytes(32).toString('hex')

/** What submissions need of every session store, as tests. */
export function testSubmissions(open: (t: TestContext) => Promise<SessionStore>): void {
  const clock = { now: 1000 }
  const openRows = async (t: TestContext): Promise<SubmissionRows> => {
    clock.now = 1000
    return new SubmissionRows({ store: await open(t), clock: () => clock.now })
  }

  for (const kind of ['of its own', 'that others share'] as const) {
    const somewhere = (): SubmissionSlot => {
      const own = digest()
      return { slot: kind === 'of its own' ? own : digest(), digest: own }
    }

    test(`in a row ${kind} one of equal submissions gets the claim, and the others see its progress and its response`, async (t) => {
      const rows = await openRows(t)
      const place = somewhere()
      assert.equal(await rows.look(place), null)
      const claims = await Promise.all(Array.from({ length: 8 }, () => rows.take(place, 60)))
      const [claim, ...others] = claims.filter((taken) => taken !== null)
      assert.ok(claim)
      assert.deepEqual(others, [])
      assert.equal(await rows.look(place), 'pending')
      await rows.record({ ...claim, revision: claim.revision + 1 }, 'of another', 60)
      assert.equal(await rows.look(place), 'pending')
      await rows.record(claim, 'sealed', 60)
      assert.deepEqual(await rows.look(place), { sealed: 'sealed' })
      assert.equal(await rows.take(place, 60), null)
    })

    test(`in a row ${kind} a claim that was given up can be taken again, and only by its owner is it given up`, async (t) => {
      const rows = await openRows(t)
      const place = somewhere()
      const claim = await rows.take(place, 60)
      assert.ok(claim)
      await rows.release({ ...claim, revision: claim.revision + 1 })
      assert.equal(await rows.take(place, 60), null)
      await rows.release(claim)
      assert.equal(await rows.look(place), null)
      assert.ok(await rows.take(place, 60))
    })
  }

  test('another submission takes over the row, and the earlier one is forgotten', async (t) => {
    const rows = await openRows(t)
    const slot = digest()
    const [first, second] = [
      { slot, digest: digest() },
      { slot, digest: digest() },
    ]
    const one = await rows.take(first, 60)
    const other = await rows.take(second, 60)
    assert.ok(one)
    assert.ok(other)
    await rows.record(one, 'of the first', 60)
    assert.equal(await rows.look(first), null)
    assert.equal(await rows.look(second), 'pending')
    await rows.record(other, 'x'.repeat(60_000), 60)
    assert.deepEqual(await rows.look(second), { sealed: 'x'.repeat(60_000) })
  })

  test('a submission that has expired does not count, and can be claimed', async (t) => {
    const rows = await openRows(t)
    const own = digest()
    const place = { slot: own, digest: own }
    await rows.take(place, 60)
    clock.now += 59
    assert.equal(await rows.take(place, 60), null)
    clock.now += 1
    assert.equal(await rows.look(place), null)
    assert.ok(await rows.take(place, 60))
  })
}
