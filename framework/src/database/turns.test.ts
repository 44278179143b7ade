import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

test('work runs in the order of the calls, the first of it immediately, failures included', async () => {
  const turns = new Turns()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.take(async () => {
    seen.push('first begins')
    await gate.promise
    seen.push('first ends')
    throw new Error('no')
  })
  const others = ['second', 'third'].map((name) =>
    turns.take(async () => {
      seen.push(name)
      return name
    }),
  )
  assert.deepEqual(seen, ['first begins'])
  assert.equal(turns.isFree, false)
  gate.resolve()
  await assert.rejects(first, /no/)
  assert.deepEqual(await Promise.all(others), ['second', 'third'])
  assert.deepEqual(seen, ['first begins', 'first ends', 'second', 'third'])
  assert.equal(turns.isFree, true)
})
