import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { SubmissionStore } from '../../src/http/submissions/submission-store.ts'

const text = (bytes: number): string => randomBytes(bytes).toString('hex')
const span = (now: number) => ({ now, expires: now + 60 })

/** What every store of submissions promises, as tests. */
export function testSubmissions(open: (t: TestContext) => Promise<SubmissionStore>): void {
  test('of equal submissions one gets the claim, and the others see its progress and its response', async (t) => {
    const store = await open(t)
    const place = { slot: text(32), digest: text(32) }
    assert.equal(await store.look(place, 1000), null)
    const claims = Array.from({ length: 8 }, () => text(16))
    const taken = await Promise.all(claims.map((claim) => store.take(place, claim, span(1000))))
    const [claim = '', ...others] = claims.filter((_, at) => taken[at])
    assert.deepEqual(others, [])
    assert.equal(await store.look(place, 1000), 'pending')
    await store.record({ slot: place.slot, claim: text(16) }, 'of another', span(1000))
    assert.equal(await store.look(place, 1000), 'pending')
    await store.record({ slot: place.slot, claim }, 'sealed', span(1000))
    assert.deepEqual(await store.look(place, 1000), { sealed: 'sealed' })
    assert.equal(await store.take(place, text(16), span(1000)), false)
  })

  test('a claim that was given up can be taken again, and only by its owner is it given up', async (t) => {
    const store = await open(t)
    const place = { slot: text(32), digest: text(32) }
    const claim = text(16)
    await store.take(place, claim, span(1000))
    await store.release({ slot: place.slot, claim: text(16) })
    assert.equal(await store.take(place, text(16), span(1000)), false)
    await store.release({ slot: place.slot, claim })
    assert.equal(await store.look(place, 1000), null)
    assert.equal(await store.take(place, text(16), span(1000)), true)
  })

  test('another submission takes over the slot, and the earlier one is forgotten', async (t) => {
    const store = await open(t)
    const slot = text(32)
    const [first, second] = [
      { slot, digest: text(32) },
      { slot, digest: text(32) },
    ]
    const [one, other] = [text(16), text(16)]
    await store.take(first, one, span(1000))
    assert.equal(await store.take(second, other, span(1000)), true)
    await store.record({ slot, claim: one }, 'of the first', span(1000))
    assert.equal(await store.look(first, 1000), null)
    assert.equal(await store.look(second, 1000), 'pending')
    await store.record({ slot, claim: other }, 'x'.repeat(60_000), span(1000))
    assert.deepEqual(await store.look(second, 1000), { sealed: 'x'.repeat(60_000) })
  })
}

/** The same for stores that do not expire rows themselves. */
export function testSubmissionSweep(open: (t: TestContext) => Promise<SubmissionStore>): void {
  test('what has expired does not count, can be claimed, and is swept', async (t) => {
    const store = await open(t)
    const place = { slot: text(32), digest: text(32) }
    await store.take(place, text(16), span(1000))
    assert.equal(await store.take(place, text(16), span(1059)), false)
    assert.equal(await store.look(place, 1060), null)
    assert.equal(await store.take(place, text(16), span(1060)), true)
    assert.equal(await store.sweep(1119), 0)
    assert.equal(await store.sweep(1120), 1)
  })
}
