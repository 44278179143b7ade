import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createErrorTables } from '../../src/inbox/error-tables.ts'
import { SqlErrors } from '../../src/inbox/sql-errors.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { Channel } from '../../src/logs/channel.ts'
import type { Database } from '../../src/database/surface.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { ErrorInbox } from '../../src/inbox/error-inbox.ts'
import { ErrorTeller } from '../../src/inbox/error-teller.ts'
import { Mailer } from '../../src/mail/mailer.ts'
import { MemoryLane } from '../../src/mail/memory-lane.ts'
import type { ErrorGroup } from '../../src/inbox/error-group.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import type { MiddlewareFunction } from '../../src/http/router/middleware.ts'
import { ErrorInboxRoutes } from '../../src/inbox/error-inbox-routes.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { Sessions } from '../../src/http/session/sessions.ts'

/** A site with an inbox and routes that fail; requests with the header `x-admin: yes` may open it. */
export interface InboxSite {
  readonly server: Server
  readonly inbox: ErrorInbox
  readonly teller: ErrorTeller
  readonly lane: MemoryLane
  readonly database: Database
  readonly throwables: Throwables
  readonly root: string
  readonly clock: { now: number }
  /** What came back. */
  readonly returned: readonly ErrorGroup[]
}

/** Options of `inboxSite`. */
export interface InboxSiteOptions {
  readonly release?: string
  /** Replaces the guard. */
  readonly guard?: MiddlewareFunction
  /** Shown at `/queue`. */
  readonly queues?: readonly Queue[]
  /** Whether it keeps requests, in `kept.sqlite`, once it listens. */
  readonly keeps?: boolean
}

const admins: MiddlewareFunction = function admins(request, _response, next) {
  if (request.header('x-admin') !== 'yes') throw new HttpError(404)
  return next()
}

export async function inboxSite(
  t: TestContext,
  { release = '1.4', guard = admins, queues = [], keeps = false }: InboxSiteOptions = {},
): Promise<InboxSite> {
  const root = mkdtempSync(join(tmpdir(), 'framework-inbox-'))
  const database = await connect('sqlite::memory:')
  await database.transaction((transaction) => createErrorTables(new Schema(transaction)))
  const throwables = createThrowables()
  const clock = { now: 1_763_200_000 }
  const returned: ErrorGroup[] = []
  const store = new SqlErrors(database, { clock: () => clock.now })
  const lane = new MemoryLane()
  const tell = { mail: 'ops@example.org', webhook: '', webhookSecret: '', quietHours: '' }
  const teller = new ErrorTeller(store, tell, {
    mailer: new Mailer(lane),
    url: 'https://shop.example.org',
    timeZone: 'UTC',
    nowMs: () => clock.now * 1_000,
    warn() {},
  })
  const inbox = new ErrorInbox(store, {
    teller,
    root,
    release,
    throwables,
    clock: () => clock.now,
    onReturn: (group) => void returned.push(group),
  })
  const emitter = new Emitter()
  const server = new Server({ environment: 'production', throwables, emitter, reporter: null })
    .configure({ port: 0, keptRequests: keeps ? join(root, 'kept.sqlite') : null })
    .use(new SecureHeaders(), new Sessions(new MemorySessions()), new Csrf(), new Forms())
    .mount([ErrorInboxRoutes(() => ({ inbox, queues, guard: [guard] }))], {})
  declareFailures(server, database)
  t.after(async () => {
    await server.close()
    await inbox.close()
    await database.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { server, inbox, teller, lane, database, throwables, root, clock, returned }
}

const shop = new Channel('shop', { sinks: [] })

function declareFailures({ router }: Server, database: Database): void {
  router.get('/orders/:id', function showOrder(request) {
    request.identity = { id: '7' }
    throw new RangeError(`there is no order ${request.params.id}`)
  })
  router.get('/reports', async function showReport() {
    shop.info('a report is made, password=hunter2')
    await database.rows(sql`SELECT count(*) AS n FROM error_groups WHERE class <> ${'Mine'}`)
    try {
      await database.rows(sql`SELECT total FROM reports WHERE owner = ${'ada@example.org'}`)
    } catch (cause) {
      throw new Error('the report cannot be shown', { cause })
    }
  })
  router.get('/markup', function failWithMarkup() {
    throw new TypeError('<script>alert(1)</script> & "more"')
  })
}
