import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../base/debugging/throwables.ts'
import { Server } from '../server/server.ts'
import type { ErrorValues } from './error-values.ts'
import { safeErrorValues } from './error-values.ts'

/** A request of somebody, and what the values of it are. */
async function valuesOf(give: ErrorValues): Promise<{ values: unknown; reported: unknown[] }> {
  const throwables = createThrowables()
  const reported: unknown[] = []
  throwables.reporters.push((error) => reported.push(error))
  const safe = safeErrorValues(give, throwables)
  const server = new Server({ environment: 'test', reporter: null })
  let values: unknown
  server.router.get('/', async (request) => {
    values = await safe(request)
  })
  await server.inject({ url: '/' })
  return { values, reported }
}

test('error values are what was given, at once or later', async () => {
  for (const give of [() => ({ who: 'ada' }), () => Promise.resolve({ who: 'ada' })]) {
    assert.deepEqual(await valuesOf(give), { values: { who: 'ada' }, reported: [] })
  }
})

test('error values that fail are empty, and it is reported', async () => {
  const broken = new Error('broken')
  const fail = (): never => {
    throw broken
  }
  for (const give of [fail, () => Promise.reject(broken)]) {
    assert.deepEqual(await valuesOf(give), { values: {}, reported: [broken] })
  }
})

test('error values that do not come are not waited for', async () => {
  assert.deepEqual(await valuesOf(() => new Promise(() => {})), { values: {}, reported: [] })
})
