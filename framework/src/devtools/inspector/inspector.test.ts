import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { Channel } from '../../logs/channel.ts'
import { connect } from '../../database/connect.ts'
import { SecureHeaders } from '../../http/middlewares/secure-headers.ts'
import type { InjectedResponse } from '../../http/server/inject.ts'
import { Server } from '../../http/server/server.ts'
import type { ActivityRecord } from './activity-record.ts'
import type { Request } from '../../http/request/request.ts'
import { inspectorRoutes } from './inspector.ts'
import { RecordFile, recordPath } from './record-file.ts'
import { recordRequests } from './record-requests.ts'
import { Recorder, recordedLines } from './recorder.ts'
import { RequestPhases } from './request-phases.ts'

interface Site {
  readonly server: Server
  readonly file: RecordFile
  /** The records of requests so far. */
  readonly records: () => readonly ActivityRecord[]
  readonly get: (
    url: string,
    headers?: Record<string, string>,
    address?: string,
  ) => Promise<InjectedResponse>
}

/** A server with the inspector whose requests are recorded; `keep` writes the records into its file. */
async function inspectedSite(
  t: TestContext,
  phases = new RequestPhases(),
): Promise<Site & { readonly keep: () => void }> {
  const root = mkdtempSync(join(tmpdir(), 'framework-inspector-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run({ sql: 'CREATE TABLE users (id INTEGER, email TEXT)', parameters: [] })
  const [emitter, throwables] = [new Emitter(), createThrowables()]
  const log = new Channel('shop', { sinks: [recordedLines] })
  const server = new Server({ environment: 'development', emitter, throwables, reporter: null })
  server.use(new SecureHeaders(), ({ path }, response, next) => {
    if (path === '/logged.css') log.info('sent')
    return path === '/style.css' || path === '/logged.css' ? response.text('') : next()
  })
  server.router.get('/users/:id', async ({ params }) => {
    log.info(`reading <user> ${params.id}`)
    const rows = await database.rows({
      sql: 'SELECT email FROM users WHERE id = ?',
      parameters: [Number(params.id)],
    })
    return { rows }
  })
  // A file of its own: only the code of a project is a caller.
  writeFileSync(
    join(root, 'members.mjs'),
    `export async function members(database) {
      for (const id of [1, 2, 3, 4, 5]) {
        await database.rows({ sql: 'SELECT email FROM users WHERE id = ?', parameters: [id] })
      }
    }`,
  )
  server.router.get('/members', async () => {
    const { members } = await import(join(root, 'members.mjs'))
    await members(database)
    return 'members'
  })
  server.router.get('/metrics', () => 'metrics')
  server.router.get('/health', () => 'ok')
  server.router.get('/verify/:selector/:verifier', () => 'verified')
  server.router.get('/broken', () => {
    throw new Error('<b>broken</b>')
  })
  server.mount([inspectorRoutes({ root })], { database })
  const file = new RecordFile(recordPath(root))
  t.after(() => file.close())
  const kept = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void kept.set(key, record), 4)
  t.after(recorder.start())
  t.after(throwables.add(recorder.report))
  const unwatch = phases.start()
  t.after(() => {
    unwatch()
    return server.close()
  })
  t.after(recordRequests(recorder, emitter, phases))
  const records = (): readonly ActivityRecord[] => [...kept.values()].map((record) => record())
  return {
    server,
    file,
    records,
    keep: () => file.write(records()),
    get: (url, headers = {}, address = '127.0.0.1') => server.inject({ url, headers, address }),
  }
}

const explainHeaders = { 'x-inspector': 'explain', accept: 'application/json' }

test('a request is recorded with route, status, headers, statements and lines', async (t) => {
  const { get, records } = await inspectedSite(t)
  await get('/users/7?page=2&token=hunter22', {
    cookie: 'session=hunter22',
    referer: 'http://x/?password=hunter22',
  })
  const [record] = records()
  assert.equal(record?.subject, 'GET /users/7')
  assert.equal(record.title, 'GET /users/:id')
  assert.equal(record.status, '200')
  assert.equal(record.statements, 1)
  assert.equal(record.lines[0]?.message, 'reading <user> 7')
  const tables = Object.fromEntries(record.tables.map(({ title, rows }) => [title, rows]))
  assert.deepEqual(tables['Query string'], [
    ['page', '2'],
    ['token', '[redacted]'],
  ])
  assert.ok(tables['Response headers']?.some(([name]) => name === 'Content-Type'))
  assert.ok(!JSON.stringify(record).includes('hunter22'))
})

test('secret parts of a path are masked, whether or not it has a route', async (t) => {
  const { get, records } = await inspectedSite(t)
  const token = `${'a1'.repeat(8)}/${'b2'.repeat(32)}`
  await get(`/verify/${token}`)
  await get(`/gone/${token}`)
  assert.equal(records()[0]?.subject, `GET /verify/${'a1'.repeat(8)}/[redacted]`)
  assert.equal(records()[1]?.subject, `GET /gone/${'a1'.repeat(8)}/[redacted]`)
})

test('the requests of the inspector itself are not recorded', async (t) => {
  const { get, records } = await inspectedSite(t)
  for (const path of ['/inspect', '/inspect/rows', '/inspect/', '/inspect/9']) await get(path)
  assert.deepEqual(records(), [])
})

test('files, what machines poll and other tools are listed only if asked for', async (t) => {
  const { get, records, keep } = await inspectedSite(t)
  const paths = ['/style.css', '/logged.css', '/missing.css', '/health', '/metrics', '/users/7']
  for (const path of paths) await get(path)
  assert.deepEqual(
    records().map(({ subject, hidden }) => [subject, hidden]),
    paths.map((path) => [`GET ${path}`, ['/style.css', '/health', '/metrics'].includes(path)]),
  )
  keep()
  const listed = async (url: string): Promise<string[]> => {
    const rows: string[][] = JSON.parse((await get(url)).text)
    return rows.map(([, , subject = '']) => subject.slice('GET '.length))
  }
  const all = paths.toReversed()
  assert.deepEqual(await listed('/inspect/rows?all=1'), all)
  assert.deepEqual(await listed('/inspect/rows'), ['/users/7', '/missing.css', '/logged.css'])
  assert.match((await get('/inspect?all=1')).text, /name="all" value="1" checked/)
  // Nor do the keys lead to them.
  assert.match((await get('/inspect/6')).text, /href="\/inspect\/3" id="older"/)
})

test('middlewares and handler are parts of the timeline', async (t) => {
  const { get, records, keep } = await inspectedSite(t)
  await get('/users/7')
  await get('/nowhere')
  const [{ phases, steps, durationMs } = assert.fail(), nowhere] = records()
  assert.deepEqual(
    phases.map(({ kind, name }) => [kind, name]),
    [
      ['middlewares', '2 before the handler'],
      ['handler', '/users/:id'],
    ],
  )
  const [before, handler] = phases
  assert.equal(handler?.startMs, before?.durationMs)
  assert.ok((handler?.startMs ?? 0) + (handler?.durationMs ?? 0) <= durationMs)
  assert.ok((handler?.durationMs ?? 0) >= (steps[0]?.durationMs ?? Infinity))
  assert.deepEqual(nowhere?.phases, [])
  keep()
  const { text } = await get('/inspect/1')
  assert.match(text, /<td>handler<\/td>\s*<td>\s*<span class="what">\/users\/:id<\/span>/)
})

test('phases and steps have one beginning, however long it takes to note it', async (t) => {
  class LatePhases extends RequestPhases {
    override received(request: Request, receivedMs: number): void {
      const untilMs = performance.now() + 5
      while (performance.now() < untilMs);
      super.received(request, receivedMs)
    }
  }
  const { get, records } = await inspectedSite(t, new LatePhases())
  await get('/members')
  const [record] = records()
  const handler = record?.phases.at(-1)
  const last = record?.steps.at(-1)
  assert.ok(handler && last && last.startMs < handler.startMs + handler.durationMs)
})

test('a query in a loop is marked in the list and explained on the page', async (t) => {
  const { get, keep } = await inspectedSite(t)
  await get('/members')
  await get('/users/7')
  keep()
  const { text } = await get('/inspect?q=n%2B1')
  assert.match(text, /<span class="mark" data-cell>N\+1<\/span>/)
  assert.doesNotMatch(text, /GET \/users\/7/)
  const page = (await get('/inspect/1')).text
  assert.match(page, /5 × the same statement in .*members\.mjs:3/)
  // Five bars in one row.
  assert.match(page, /×5<\/b>/)
  assert.equal(page.match(/<rect class="bar-sql"/g)?.length, 5)
  assert.match(page, /To fix it, load the rows together: with\(\)/)
  assert.doesNotMatch((await get('/inspect/2')).text, /class="repeat"/)
})

test('the list shows what was recorded, and finds it', async (t) => {
  const { get, keep } = await inspectedSite(t)
  assert.match((await get('/inspect')).text, /Nothing was recorded yet/)
  await get('/users/7')
  await get('/users/<b>8')
  await get('/broken')
  keep()
  const { text, headers } = await get('/inspect')
  assert.match(text, /GET \/broken[\s\S]*GET \/users\/&lt;b&gt;8[\s\S]*GET \/users\/7/)
  assert.match(text, /class="status bad" data-cell>500</)
  assert.match(text, /GET \/broken<[\s\S]{0,200}<span class="mark" data-cell>Error</)
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'nonce-/)
  assert.doesNotMatch(text, /<[^>]*\s(?:style|on\w+)=/)
  const found = (await get('/inspect?q=500&kind=request')).text
  assert.match(found, /GET \/broken/)
  assert.doesNotMatch(found, /GET \/users\/7/)
  assert.match((await get('/inspect?kind=job')).text, /Nothing matches/)
})

test('a page that is open asks for its rows', async (t) => {
  const { get, keep } = await inspectedSite(t)
  await get('/users/7')
  keep()
  const [row, ...others] = JSON.parse((await get('/inspect/rows')).text)
  assert.deepEqual(row.slice(0, 5), ['/inspect/1', 'good', 'GET /users/7', '', '/users/:id'])
  assert.deepEqual([row[8], row[10]], ['200', '1 query'])
  assert.deepEqual(others, [])
  assert.deepEqual(JSON.parse((await get('/inspect/rows?q=nothing')).text), [])
})

test('an open page gets what is new as events, until the server stops', async (t) => {
  const { get, keep, server } = await inspectedSite(t)
  await get('/users/7')
  await get('/broken')
  keep()
  const answer = get('/inspect/events?q=users')
  await new Promise((resolve) => setImmediate(resolve))
  await server.close()
  const { headers, text } = await answer
  assert.match(headers['content-type'] ?? '', /^text\/event-stream/)
  const [, data = ''] = /^event: rows\ndata: (.*)$/m.exec(text) ?? []
  const [[href, tone, subject]] = JSON.parse(data)
  assert.deepEqual([href, tone, subject], ['/inspect/1', 'good', 'GET /users/7'])
})

test('the page of a request shows everything about it, escaped', async (t) => {
  const { get, keep } = await inspectedSite(t)
  await get('/users/7')
  await get('/broken', { accept: 'text/html' })
  keep()
  const { text } = await get('/inspect/1')
  assert.match(text, /<h1><span class="subject">GET \/users\/7<\/span>/)
  assert.match(text, /SELECT email FROM users WHERE id = \?/)
  assert.match(text, /class="explain" data-text="0"/)
  assert.match(text, /reading &lt;user&gt; 7/)
  assert.match(text, /<rect class="bar-sql"/)
  assert.match(text, /Response headers/)
  assert.match(text, /href="\/inspect\/2" id="newer"/)
  const broken = (await get('/inspect/2')).text
  assert.match(broken, /<section class="part" id="exception"/)
  assert.match(broken, /&lt;b&gt;broken&lt;\/b&gt;/)
  assert.doesNotMatch(broken, /<b>broken/)
  assert.equal((await get('/inspect/9')).status, 404)
})

test('a debug page links to the record of its request', async (t) => {
  const { get, keep } = await inspectedSite(t)
  const { text } = await get('/broken', { accept: 'text/html', 'x-request-id': 'r-5' })
  assert.match(text, /<a href="\/inspect\/request\/r-5"><code>r-5<\/code><\/a>/)
  keep()
  const { status, headers } = await get('/inspect/request/r-5')
  assert.equal(status, 303)
  assert.equal(headers['location'], '/inspect/1')
  assert.equal((await get('/inspect/request/unknown')).status, 404)
})

test('a SELECT of a record is explained, nothing else', async (t) => {
  const { server, get, file, records, keep } = await inspectedSite(t)
  await get('/users/7')
  keep()
  const explain = (
    path: string,
    headers: Record<string, string> = explainHeaders,
  ): Promise<InjectedResponse> =>
    server.inject({ method: 'POST', url: path, headers, address: '127.0.0.1' })
  const { status, text } = await explain('/inspect/1/explain/0')
  assert.equal(status, 200)
  assert.match(JSON.parse(text).plan, /SCAN users/)
  assert.equal((await explain('/inspect/1/explain/5')).status, 404)
  assert.equal((await explain('/inspect/9/explain/0')).status, 404)
  const [record] = records()
  assert.ok(record)
  file.write([{ ...record, key: 'other', texts: ['DELETE FROM users'] }])
  assert.match(
    JSON.parse((await explain('/inspect/2/explain/0')).text).plan,
    /only a single SELECT/,
  )
  for (const headers of [
    { accept: 'application/json' },
    { ...explainHeaders, 'sec-fetch-site': 'cross-site' },
    { ...explainHeaders, origin: 'https://evil.example' },
  ]) {
    assert.equal((await explain('/inspect/1/explain/0', headers)).status, 403)
  }
})

test('other machines, clients of proxies and pages of foreign names see nothing', async (t) => {
  const { get, keep } = await inspectedSite(t)
  await get('/users/7')
  keep()
  const paths = ['', '/1', '/rows', '/events', '/request/x'].map((path) => `/inspect${path}`)
  for (const path of paths) {
    assert.equal((await get(path, {}, '192.0.2.7')).status, 404)
    assert.equal((await get(path, { 'x-forwarded-for': '127.0.0.1' })).status, 404)
    assert.equal((await get(path, { host: 'rebound.example' })).status, 404)
  }
  assert.equal((await get('/inspect/1')).status, 200)
})

test('the routes of a project win', async (t) => {
  const server = new Server({ environment: 'development', reporter: null })
  server.router.get('/inspect/orders', () => 'mine')
  server.mount([inspectorRoutes({ root: tmpdir() })], {})
  t.after(() => server.close())
  const { text } = await server.inject({ url: '/inspect/orders', address: '127.0.0.1' })
  assert.equal(text, 'mine')
  assert.equal((await server.inject({ url: '/inspect', address: '127.0.0.1' })).status, 404)
})
