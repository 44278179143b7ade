import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StepKinds } from '../../activity/step.ts'
import { Steps } from '../../activity/steps.ts'
import { connect } from '../../database/connect.ts'
import { Cache } from '../../cache/cache.ts'
import { MemoryCache } from '../../cache/memory-cache.ts'
import { Server } from '../../http/server/server.ts'
import { ObservabilityRoutes } from './observability.ts'

/** A server with these routes, whose `/work` sends statements and looks into a cache. */
async function serve(t: TestContext): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-observability-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const cache = new Cache(new MemoryCache())
  const server = new Server({ environment: 'test', reporter: null })
  server.configure({ observability: { folder } }).mount([ObservabilityRoutes], {})
  server.router.get('/orders/:id', async (request) => {
    await database.rows({ sql: 'SELECT ? AS "a"', parameters: [request.params.id] })
    await database.run({ sql: `SELECT 'planted' AS b`, parameters: [] })
    await cache.remember('key', 60, () => Promise.resolve(1))
    return 'done'
  })
  t.after(() => server.close())
  return server
}

async function metrics(server: Server): Promise<string> {
  return (await server.inject({ url: '/metrics' })).text
}

test('/metrics has durations by route, of statements, and hits of caches', async (t) => {
  const server = await serve(t)
  for (const id of ['1', '2']) await server.inject({ url: `/orders/${id}` })
  const text = await metrics(server)
  const route = 'http_request_method="GET",http_response_status_code="200",http_route="/orders/:id"'
  for (const line of [
    `http_server_request_duration_seconds_count{${route}} 2`,
    'db_client_operation_duration_seconds_count{db_operation_name="SELECT",db_system_name="sqlite"} 4',
    'cache_lookups_total{result="hit"} 1',
    'cache_lookups_total{result="miss"} 1',
  ]) {
    assert.ok(text.includes(`${line}\n`), `${line} in\n${text}`)
  }
  // How many were that quick depends on the machine.
  assert.ok(text.includes(`http_server_request_duration_seconds_bucket{${route},le="0.075"} `))
  assert.doesNotMatch(text, /planted|SELECT \?/)
})

test('/metrics/statements lists the slowest statements, without values', async (t) => {
  const server = await serve(t)
  for (const id of ['hunter22', '2']) await server.inject({ url: `/orders/${id}` })
  const { status, headers, text } = await server.inject({ url: '/metrics/statements' })
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  const { statements }: { statements: { statement: string; count: number }[] } = JSON.parse(text)
  assert.deepEqual(statements.map(({ statement, count }) => `${statement} ${count}`).toSorted(), [
    'SELECT ? AS "a" 2',
    'SELECT ? AS b 2',
  ])
  assert.doesNotMatch(text, /planted|hunter22/)
})

test('a server that was closed watches nothing more', async (t) => {
  const watches = (): boolean => Steps.Instance.begin(StepKinds.Push, 'any') !== null
  const before = watches()
  const server = await serve(t)
  assert.equal(watches(), true)
  await server.close()
  assert.equal(watches(), before)
})

test('/metrics/events sends the metrics and the slowest statements, until the server stops', async (t) => {
  const server = await serve(t)
  await server.inject({ url: '/orders/1' })
  const answer = server.inject({ url: '/metrics/events' })
  // Scrapes are done one after the other, and the statements are read after the first.
  for (let at = 0; at < 2; at += 1) await metrics(server)
  await server.inject({ url: '/metrics/statements' })
  await server.close()
  const { text, headers } = await answer
  assert.match(headers['content-type'] ?? '', /^text\/event-stream/)
  const [, json = ''] = /^event: metrics\ndata: (.*)$/m.exec(text) ?? []
  const { timestamp, metrics: series } = JSON.parse(json)
  assert.ok(timestamp > 0)
  assert.equal(series.http_requests_total.type, 'counter')
  const [, list = ''] = /^event: statements\ndata: (.*)$/m.exec(text) ?? []
  assert.match(list, /^\{"statements":\[\{"statement":"SELECT/)
})
