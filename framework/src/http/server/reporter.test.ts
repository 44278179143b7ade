import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import type { Environments } from '../../settings/environments.ts'
import { Server } from './server.ts'

test('a reporter is registered only while the server listens', async () => {
  const throwables = createThrowables()
  const reporter = (): void => {}
  const server = new Server({ environment: 'production', throwables, reporter })
  assert.deepEqual(throwables.reporters, [])
  await server.configure({ port: 0 }).listen({ signals: false })
  assert.deepEqual(throwables.reporters, [reporter])
  await server.close()
  assert.deepEqual(throwables.reporters, [])
})

test('a server that cannot listen leaves no reporter behind', async (t) => {
  const taken = new Server({ environment: 'test' }).configure({ port: 0 })
  const { port } = await taken.listen({ signals: false })
  t.after(() => taken.close())
  const throwables = createThrowables()
  const server = new Server({ environment: 'production', throwables }).configure({ port })
  await assert.rejects(server.listen({ signals: false }), { code: 'E_LISTEN' })
  assert.deepEqual(throwables.reporters, [])
})

test('by default there is one, but none in the test environment', async () => {
  for (const [environment, count] of [
    ['production', 1],
    ['development', 1],
    ['test', 0],
  ] satisfies [Environments, number][]) {
    const throwables = createThrowables()
    const server = new Server({ environment, throwables }).configure({ port: 0 })
    await server.listen({ signals: false })
    assert.equal(throwables.reporters.length, count, environment)
    await server.close()
  }
})
