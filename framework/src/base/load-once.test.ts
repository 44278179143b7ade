import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadOnce } from './load-once.ts'

test('a module is loaded with the first call, for all of them', async () => {
  let loads = 0
  const load = loadOnce(() => Promise.resolve({ number: (loads += 1) }))
  assert.equal(loads, 0)
  const loaded = await Promise.all([load(), load()])
  loaded.push(await load())
  assert.deepEqual(
    loaded.map(({ number }) => number),
    [1, 1, 1],
  )
})

test('what could not be loaded is tried again', async () => {
  let tries = 0
  const load = loadOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('too many open files')
    return tries
  })
  await assert.rejects(load(), /too many open files/)
  assert.equal(await load(), 2)
  assert.equal(await load(), 2)
})
