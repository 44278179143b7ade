import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Wakeup } from './wakeup.ts'

test('a wait ends when it is woken, and a wake before it counts once', async () => {
  const wakeup = new Wakeup()
  const waiting = wakeup.wait(3_600_000)
  wakeup.wake()
  await waiting
  wakeup.wake()
  wakeup.wake()
  await wakeup.wait(3_600_000)
  let ended = false
  const again = wakeup.wait(3_600_000).then(() => (ended = true))
  await new Promise(setImmediate)
  assert.equal(ended, false)
  wakeup.wake()
  await again
})

test('a wait ends by itself', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const waiting = new Wakeup().wait(1_000)
  t.mock.timers.tick(1_000)
  await waiting
})
