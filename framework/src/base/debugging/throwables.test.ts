import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from './throwables.ts'

test('a throwable is reported once, whoever notifies and however often', () => {
  const throwables = createThrowables()
  const seen: [Error, unknown][] = []
  throwables.reporters.push((error, context) => seen.push([error, context]))
  const error = new Error('x')
  throwables.notify(error, { origin: 'test' })
  throwables.notify(error)
  assert.deepEqual(seen, [[error, { origin: 'test' }]])
})

test('a reporter that throws or rejects does not keep the next one from being told', async () => {
  const throwables = createThrowables()
  let told = 0
  throwables.reporters.push(
    () => {
      throw new Error('reporter')
    },
    () => Promise.reject(new Error('reporter')),
    () => {
      told += 1
    },
  )
  throwables.notify(new Error('x'))
  await Promise.resolve()
  assert.equal(told, 1)
})

test('a thrown object that is no Error is wrapped, and still reported once', () => {
  const throwables = createThrowables()
  const seen: Error[] = []
  throwables.reporters.push((error) => seen.push(error))
  const thrown = { reason: 'odd' }
  throwables.notify(thrown)
  throwables.notify(thrown)
  assert.equal(seen.length, 1)
  assert.equal(seen[0]?.cause, thrown)
})
