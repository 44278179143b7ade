import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

const never = new AbortController().signal

test('as many go on as there are turns, the others in the order they came', async () => {
  const turns = new Turns(2)
  const order: number[] = []
  const taking = [1, 2, 3, 4].map(async (number) => {
    await turns.take(never)
    order.push(number)
  })
  await new Promise(setImmediate)
  assert.deepEqual(order, [1, 2])
  turns.give()
  await taking[2]
  assert.deepEqual(order, [1, 2, 3])
  turns.give()
  turns.give()
  turns.give()
  await Promise.all(taking)
  await Promise.all([turns.take(never), turns.take(never)])
})

test('whoever leaves the line takes no turn with them', async () => {
  const turns = new Turns(1)
  await turns.take(never)
  const leaving = new AbortController()
  const first = turns.take(leaving.signal)
  const second = turns.take(never)
  leaving.abort(new Error('too late'))
  await assert.rejects(first, /too late/)
  turns.give()
  await second
  await assert.rejects(turns.take(leaving.signal), /too late/)
})
