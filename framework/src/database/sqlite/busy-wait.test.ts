import assert from 'node:assert/strict'
import { test } from 'node:test'

import { DatabaseError } from '../database-error.ts'
import { Deadline, isBusy, retryWhileBusy } from './busy-wait.ts'

function busy(): DatabaseError {
  return new DatabaseError('E_DATABASE_BUSY', 'locked')
}

/** Fails the given number of times, then returns the number of attempts. */
function freeAfter(failures: number): () => number {
  let attempts = 0
  return () => {
    if (attempts++ < failures) throw busy()
    return attempts
  }
}

test('an attempt that succeeds is made once', async () => {
  assert.equal(await retryWhileBusy(freeAfter(0), new Deadline(5)), 1)
})

test('an attempt that meets a lock is repeated until it succeeds', async () => {
  assert.equal(await retryWhileBusy(freeAfter(4), new Deadline(5)), 5)
})

test('the event loop goes on between the attempts', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await retryWhileBusy(freeAfter(4), new Deadline(5))
  isOver = true
  assert.ok(turns > 0)
})

test('a lock that stays is reported with the time waited', async () => {
  const waiting = retryWhileBusy(() => {
    throw busy()
  }, new Deadline(0.1))
  await assert.rejects(waiting, { code: 'E_DATABASE_BUSY', native: 'SQLITE_BUSY' })
  await assert.rejects(waiting, /stayed locked for the 0\.\d s that busy_timeout allows/)
})

test('without deadline one attempt is made', async () => {
  let attempts = 0
  const waiting = retryWhileBusy(() => {
    attempts++
    throw busy()
  }, new Deadline(0))
  await assert.rejects(waiting, { code: 'E_DATABASE_BUSY' })
  assert.equal(attempts, 1)
})

test('pauses grow, so that a long wait does not spin', async () => {
  let attempts = 0
  const waiting = retryWhileBusy(() => {
    attempts++
    throw busy()
  }, new Deadline(0.3))
  await assert.rejects(waiting)
  // Pauses of one millisecond would make a hundred and more.
  assert.ok(attempts < 45, `${attempts} attempts`)
})

test('any other failure ends the attempts', async () => {
  let attempts = 0
  const error = new DatabaseError('E_DUPLICATE_KEY', 'twice')
  const waiting = retryWhileBusy(() => {
    attempts++
    throw error
  }, new Deadline(5))
  await assert.rejects(waiting, error)
  assert.equal(attempts, 1)
})

test('only a lock counts as busy', () => {
  assert.equal(isBusy(busy()), true)
  assert.equal(isBusy(new DatabaseError('E_DATABASE', 'disk')), false)
  assert.equal(isBusy(new Error('E_DATABASE_BUSY')), false)
})
