import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createErrorTables } from '../../src/inbox/error-tables.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { MemoryJobs } from '../../src/queue/memory-jobs.ts'
import { Queue } from '../../src/queue/queue.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import { waitingFileName } from '../../src/inbox/waiting-file.ts'
import { ErrorInboxRoutes } from '../../src/inbox/error-inbox-routes.ts'
import { inspectorRoutes } from '../../src/devtools/inspector/inspector.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { inboxSite } from '../support/inbox-site.ts'
import type { InboxSite } from '../support/inbox-site.ts'
import { tokenIn } from './csrf-site.ts'
import { leakyErrors, OPEN } from './leaky-errors.ts'
import { leaksIn, plantSecrets, spiced } from './planted-secrets.ts'

/** An administrator with a browser that keeps its cookie. */
class Admin {
  readonly #site: InboxSite
  #cookie = ''

  constructor(site: InboxSite) {
    this.#site = site
  }

  async get(url: string): Promise<string> {
    const answer = await this.#ask(url)
    assert.equal(answer.status, 200, answer.text)
    return answer.text
  }

  /** Presses a button on the page of a group. */
  async press(page: string, action: string, fields: Record<string, string> = {}): Promise<string> {
    const body = new URLSearchParams({ _token: tokenIn(await this.get(page)), ...fields })
    const answer = await this.#ask(`${page}/${action}`, body)
    assert.deepEqual([answer.status, answer.headers['location']], [303, page])
    return this.get(page)
  }

  async #ask(url: string, body?: URLSearchParams): Promise<InjectedResponse> {
    const headers = {
      accept: 'text/html',
      'x-admin': 'yes',
      ...(this.#cookie !== '' && { cookie: this.#cookie }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await this.#site.server.inject({
      url,
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    const [line] = answer.cookies
    if (line !== undefined) this.#cookie = line.split(';')[0] ?? ''
    return answer
  }
}

/** Makes requests fail and waits until the inbox has stored that. */
async function fail({ server, inbox }: InboxSite, ...urls: readonly string[]): Promise<void> {
  for (const url of urls) assert.equal((await server.inject({ url })).status, 500)
  await inbox.flush()
}

function pathsOn(list: string): string[] {
  return [...list.matchAll(/href="(\/errors\/[\da-f]{32})"/g)].map(([, path = '']) => path)
}

test('errors of one cause are one group with count, route, account, release and samples', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/orders/1', '/orders/2')
  await fail(site, '/orders/3', '/markup')
  const admin = new Admin(site)
  const list = await admin.get('/errors')
  assert.match(list, /Open 2<\/a>/)
  assert.match(list, /data-unit="times">3</)
  const found = await admin.get('/errors?q=no+order')
  const [path = '', ...others] = pathsOn(found)
  assert.deepEqual(others, [])
  const page = await admin.get(path)
  for (const part of ['RangeError', 'there is no order 3', 'GET /orders/:id', '/orders/3', '1.4']) {
    assert.ok(page.includes(part), part)
  }
  assert.match(page, /<dt>Account<\/dt><dd><code>7</)
  assert.match(page, /class="own"><span class="call">showOrder/)
  assert.match(page, /inbox-site\.ts:\d+</)
  assert.match(page, /1 of 2<\/li>/)
  const [older = ''] = /\/errors\/[\da-f]+\?sample=\d+/.exec(page) ?? []
  assert.match(await admin.get(older), /there is no order 1/)
})

test('beside the inspector, a sample leads to the record of its request', async (t) => {
  const site = await inboxSite(t)
  site.server.mount([inspectorRoutes({ root: site.root })], {})
  await fail(site, '/markup')
  const admin = new Admin(site)
  const page = await admin.get(pathsOn(await admin.get('/errors'))[0] ?? '')
  assert.match(page, /<a href="\/inspect\/request\/([\w-]+)"><code>\1<\/code><\/a>/)
})

test('a failed statement is shown without its values, with its caller', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/reports')
  const admin = new Admin(site)
  const page = await admin.get(pathsOn(await admin.get('/errors'))[0] ?? '')
  assert.match(page, /SELECT total FROM reports WHERE owner = \?/)
  assert.match(page, /sql SELECT, [\d.]+ ms from <code>[^<]*inbox-site\.ts:\d+</)
  assert.match(page, /Caused by/)
  assert.match(page, /E_STATEMENT/)
  // The source says what it says.
  assert.ok(!page.replaceAll(/<figure.*?<\/figure>/gs, '').includes('ada@example.org'))
})

test('the page of a group has the source, what happened before, and when in the last day', async (t) => {
  const site = await inboxSite(t)
  const { clock } = site
  for (const hours of [0, 3, 2]) {
    clock.now += hours * 3_600
    await fail(site, '/reports', '/reports')
  }
  clock.now += 180
  const admin = new Admin(site)
  const list = await admin.get('/errors')
  assert.match(list, /<span class="bad">new<\/span>/)
  assert.match(list, /aria-label="6 in 24 hours, at most 2 in one of them, [02] in this one"/)
  assert.match(list, /<time datetime="[^"]+Z" title="[^"]+ UTC">3 min ago<\/time>/)
  assert.equal([...list.matchAll(/<rect /g)].length, 3)
  const [path = ''] = pathsOn(list)
  const page = await admin.get(path)
  assert.match(page, /<mark class="l" data-n="\d+">.*the report cannot be shown/)
  const rows = /Before the error.*?<tbody>(.*?)<\/tbody>/s.exec(page)?.[1]?.split('</tr>') ?? []
  const cells = rows.map((row) => row.replaceAll(/(?:<[^>]*>|\s)+/g, ' ').trim()).filter(Boolean)
  assert.equal(cells.length, 3)
  assert.match(cells[0] ?? '', /^[\d.]+ ms info shop: a report is made, password=\[redacted\]$/)
  assert.match(
    cells[1] ?? '',
    /^[\d.]+ ms sql SELECT count\(\*\) AS n FROM error_groups WHERE class &lt;&gt; \? [\d.]+ ms$/,
  )
  assert.match(
    cells[2] ?? '',
    /^[\d.]+ ms sql SELECT total FROM reports WHERE owner = \? E_STATEMENT [\d.]+ ms$/,
  )
  await admin.press(path, 'resolve')
  clock.now += 86_400
  await fail(site, '/reports')
  assert.match(await admin.get('/errors'), /<span class="bad">returned<\/span>/)
})

test('what errors say is text, never markup', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/markup')
  const admin = new Admin(site)
  const list = await admin.get('/errors?q=%3Cscript%3E')
  for (const page of [list, await admin.get(pathsOn(list)[0] ?? '')]) {
    assert.ok(!page.includes('<script'))
    assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp;/)
  }
})

test('a group is resolved, muted and reopened, and each decision has one winner', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/markup')
  const admin = new Admin(site)
  const [path = ''] = pathsOn(await admin.get('/errors'))
  assert.match(await admin.press(path, 'resolve'), /class="state">resolved</)
  assert.match(await admin.press(path, 'resolve'), /class="state">resolved</)
  assert.deepEqual(pathsOn(await admin.get('/errors')), [])
  assert.deepEqual(pathsOn(await admin.get('/errors?state=resolved')), [path])
  assert.match(await admin.press(path, 'mute'), /class="state">muted</)
  assert.match(await admin.press(path, 'reopen'), /class="state">open</)
  const next = await admin.press(path, 'resolve', { release: 'next' })
  assert.match(next, /it may still occur in release 1\.4/)
})

test('a resolved error that comes back is told once, and says its release', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/markup')
  const admin = new Admin(site)
  const [path = ''] = pathsOn(await admin.get('/errors'))
  site.clock.now += 10
  await admin.press(path, 'resolve')
  site.clock.now += 10
  await fail(site, '/markup', '/markup')
  await fail(site, '/markup')
  assert.equal(site.returned.length, 1)
  assert.equal(site.returned[0]?.returnedRelease, '1.4')
  assert.match(await admin.get(path), /Came back in release 1\.4/)
  assert.match(await admin.get('/errors'), /Came back in release 1\.4/)
})

test('only those whom the guard lets through see or change anything', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/markup')
  const [path = ''] = pathsOn(await new Admin(site).get('/errors'))
  for (const [method, url] of [
    ['GET', '/errors'],
    ['GET', path],
    ['POST', `${path}/resolve`],
    ['POST', `${path}/mute`],
  ] as const) {
    const { status, text } = await site.server.inject({ method, url })
    assert.equal(status, 404, `${method} ${url}`)
    assert.ok(!text.includes('alert'))
  }
  assert.equal(pathsOn(await new Admin(site).get('/errors')).length, 1)
})

test('a form without its token, or from another site, changes nothing', async (t) => {
  const site = await inboxSite(t)
  await fail(site, '/markup')
  const admin = new Admin(site)
  const [path = ''] = pathsOn(await admin.get('/errors'))
  for (const more of [{}, { origin: 'https://evil.example' }]) {
    const headers = { 'x-admin': 'yes', ...more }
    const sent = { method: 'POST', url: `${path}/resolve`, headers } as const
    assert.equal((await site.server.inject(sent)).status, 403)
  }
  assert.match(await admin.get(path), /class="state">open</)
})

test('unknown groups are not found, and odd queries show the first page', async (t) => {
  const site = await inboxSite(t)
  const headers = { 'x-admin': 'yes' }
  for (const path of ['0'.repeat(32), 'abc', '%27']) {
    assert.equal((await site.server.inject({ url: `/errors/${path}`, headers })).status, 404)
  }
  const admin = new Admin(site)
  assert.match(await admin.get('/errors?state=x&order=y&page=-1&q=%00'), /no open errors/)
  assert.match(await admin.get('/errors?page=999'), /no open errors/)
  await fail(site, '/markup')
  assert.match(await admin.get('/errors?page=999'), /There are no more errors/)
})

test('the pages allow no script and are not kept by browsers and proxies', async (t) => {
  const { server } = await inboxSite(t)
  const { headers } = await server.inject({ url: '/errors', headers: { 'x-admin': 'yes' } })
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(
    headers['content-security-policy'] ?? '',
    /^default-src 'none'; style-src 'nonce-[^']+'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  )
})

test('without access there are no routes; without a guard or Csrf the server does not start', async (t) => {
  const { inbox } = await inboxSite(t)
  const server = (): Server => new Server({ environment: 'production', reporter: null })
  const off = server().mount([ErrorInboxRoutes(() => null)], {})
  assert.deepEqual(off.router.routes(), [])
  for (const guard of [undefined, [], null]) {
    // As untyped code could.
    const access = JSON.parse('{}')
    const set = ErrorInboxRoutes(() => Object.assign(access, { inbox, guard }))
    assert.throws(() => server().mount([set], {}), {
      code: 'E_ROUTE_SET',
      message: /needs a guard/,
    })
  }
  const open = server()
    .use(new Sessions(new MemorySessions()))
    .mount(
      [ErrorInboxRoutes(() => ({ inbox, guard: [(_request, _response, next) => next()] }))],
      {},
    )
  await assert.rejects(async () => open.inject({ url: '/errors' }), { code: 'E_ROUTE_SET' })
})

test('errors of jobs are in the inbox, with their queue', async (t) => {
  const site = await inboxSite(t)
  const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
  const queue = new Queue('bills', new MemoryJobs(), { encrypter, attempts: 1 })
  await queue.push('x')
  const { throwables, inbox } = site
  const work = (): never => {
    throw new TypeError('no bill')
  }
  await runQueue(queue, work, { once: true, throwables, registry: null })
  await inbox.flush()
  const admin = new Admin(site)
  const page = await admin.get(pathsOn(await admin.get('/errors'))[0] ?? '')
  assert.match(page, /<dt>Job<\/dt><dd>bills</)
})

test('no secret of an error or a request is in rows, pages, the waiting file or what is mailed', async (t) => {
  const secrets = plantSecrets()
  const site = await inboxSite(t)
  const { server, inbox, teller, lane, database, throwables, clock, root } = site
  const errors = leakyErrors(secrets)
  for (const [name, make] of Object.entries(errors)) {
    server.router.get(`/leaky/${name}/:verifier/:token`, () => {
      throw make()
    })
  }
  const value = (place: Parameters<typeof spiced>[1]): string =>
    encodeURIComponent(spiced(secrets, place))
  const ask = async (): Promise<void> => {
    for (const name of Object.keys(errors)) {
      const url = `/leaky/${name}/${value(':verifier')}/${value(':token')}?token=${value('query')}`
      const headers = {
        authorization: `Bearer ${value('authorization')}`,
        cookie: `session=${value('cookie')}`,
        referer: `http://localhost/?access_token=${value('referer query')}`,
      }
      assert.equal((await server.inject({ url, headers })).status, 500)
    }
  }
  throwables.notify(new Error('settings'), { password: spiced(secrets, 'page context') })
  // First the tables are missing to the statements of a closed transaction: everything waits.
  const isUnavailable = inbox.store.isUnavailable.bind(inbox.store)
  await database.run(sql`ALTER TABLE error_groups RENAME TO away`)
  inbox.store.isUnavailable = () => true
  await ask()
  await inbox.flush()
  const waiting = readFileSync(join(root, 'storage', waitingFileName), 'utf8')
  assert.ok(waiting.includes(OPEN))
  await database.run(sql`ALTER TABLE away RENAME TO error_groups`)
  inbox.store.isUnavailable = isUnavailable
  clock.now += 100
  await ask()
  await inbox.flush()
  const shown: string[] = [waiting]
  const admin = new Admin(site)
  const paths = pathsOn(await admin.get('/errors'))
  assert.ok(paths.length >= Object.keys(errors).length)
  for (const path of paths) {
    const page = await admin.get(path)
    shown.push(page)
    clock.now += 1
    await admin.press(path, 'resolve')
  }
  clock.now += 1
  await ask()
  await inbox.flush()
  assert.ok(site.returned.length > 0)
  clock.now += 600
  await teller.look()
  assert.match(lane.mails.at(-1)?.header('subject') ?? '', /returned errors on shop/)
  shown.push(...lane.mails.flatMap(({ text, html }) => [text ?? '', html ?? '']))
  assert.ok(shown.at(-1)?.includes(OPEN))
  shown.push(await admin.get('/errors'), JSON.stringify(site.returned))
  for (const table of ['error_groups', 'error_samples', 'error_marks']) {
    const rows = await database.rows(sql`SELECT * FROM ${sql.name(table)}`)
    assert.ok(rows.length > 0)
    const texts = (_: string, one: unknown): unknown =>
      typeof one === 'bigint' ? Number(one) : one
    shown.push(JSON.stringify(rows, texts))
  }
  for (const text of shown) assert.deepEqual(leaksIn(text, secrets), [])
  assert.ok(shown.some((text) => text.includes(OPEN)))
})

test('the tables of the inbox are made by a migration', async (t) => {
  const { database } = await inboxSite(t)
  await assert.rejects(
    database.transaction((transaction) => createErrorTables(new Schema(transaction))),
    /already exists/,
  )
})
