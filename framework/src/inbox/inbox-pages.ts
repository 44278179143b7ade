import { ConfigurationError } from '../base/errors.ts'
import { lateModule } from '../base/late-module.ts'
import { HttpError } from '../http/errors/http-error.ts'
import { Csrf } from '../http/middlewares/csrf.ts'
import { seesDetails } from '../http/errors/sees-details.ts'
import type { Request } from '../http/request/request.ts'
import type { Response } from '../http/response/response.ts'
import { checkMiddleware } from '../http/router/middleware.ts'
import type { Middleware, MiddlewareObject, Next } from '../http/router/middleware.ts'
import { Phases } from '../http/router/phases.ts'
import type { Router } from '../http/router/router.ts'
import { gate } from '../devtools/tools.ts'
import type * as KeepRequests from '../devtools/inspector/keep-requests.ts'
import type * as ProfilePages from '../devtools/profiles/profile-pages.ts'
import type { ServerHost } from '../http/server/server-host.ts'
import type { Queue } from '../queue/queue.ts'
import type { ErrorInbox } from './error-inbox.ts'
import { ErrorOrders, ErrorStates } from './error-group.ts'
import type { ErrorQuery } from './error-group.ts'
import { actionsOf, linkTo, sendPage } from './inbox-views.ts'
import { declareQueues } from './queue-pages.ts'

const loadProfiles = lateModule<typeof ProfilePages>(
  import.meta,
  '../devtools/profiles/profile-pages',
)
const loadKeeping = lateModule<typeof KeepRequests>(
  import.meta,
  '../devtools/inspector/keep-requests',
)

const perPage = 50
const maxSearch = 100

/** An inbox, and who may open it. */
export interface ErrorInboxAccess {
  readonly inbox: ErrorInbox
  /** Queues whose jobs `/queue` shows, with the others in their stores. @default none, and no such page */
  readonly queues?: readonly Queue[]
  /**
   * Middlewares that let only the right people through, by the head of a request and its session, the
   * outermost first; at least one. Functions among them run before a form is read.
   */
  readonly guard: readonly [Middleware, ...Middleware[]]
}

/** Declares `/errors`: the list, each group with its samples, and what can be decided about it; and `/queue`. */
export function declareErrorInbox(
  router: Router,
  server: ServerHost,
  { inbox, queues = [], guard }: ErrorInboxAccess,
): void {
  checkGuard(guard)
  const { keptRequests: path } = server
  const own = path === null ? /^\/(?:errors|queue)(?:\/|$)/ : /^\/(?:errors|queue|inspect)(?:\/|$)/
  // Whoever sees one of these pages has passed the guard. For developers there is a link elsewhere, too.
  const pages = gate(new InboxPages(), (request) => own.test(request.path) || seesDetails(request))
  const middlewares = [pages, ...guard.map(asGuard)]
  const { store } = inbox
  const act = async (
    { params: { fingerprint } }: Request<{ readonly fingerprint: string }>,
    response: Response,
    done: Promise<boolean>,
  ): Promise<Response> => {
    // False if somebody else was faster: then the page shows what they decided.
    if (!(await done) && (await store.find(fingerprint)) === null) throw missing()
    return response.redirect(`/errors/${fingerprint}`)
  }

  router.group(
    '/errors',
    (group) => {
      group.get('/', async (request, response) => {
        const query = queryOf(request)
        const list = await store.list(query)
        const link = (change: Parameters<typeof linkTo>[1]): string => linkTo(query, change)
        const data = { list, query, lost: inbox.lost, now: inbox.now, link }
        return sendPage(router, request, response, { title: 'Errors', view: 'list', data })
      })
      group.get('/:fingerprint<[0-9a-f]+>', async (request, response) => {
        const details = await store.find(request.params.fingerprint)
        if (details === null) throw missing()
        const { group: shown, samples } = details
        const at = samples.findIndex(({ id }) => id === request.query['sample'])
        const chosen = { at: Math.max(0, at), sample: samples.at(Math.max(0, at))?.sample ?? null }
        const { release, now } = inbox
        const data = { ...details, ...chosen, actions: actionsOf(shown, release), release, now }
        const title = `${shown.class}: ${shown.message}`
        return sendPage(router, request, response, { title, view: 'group', data })
      })
      group.post('/:fingerprint<[0-9a-f]+>/resolve', async (request, response) => {
        const { release } = (await request.form()).fields
        const until = release === 'next' && inbox.release !== '' ? inbox.release : null
        return act(request, response, store.resolve(request.params.fingerprint, until))
      })
      group.post('/:fingerprint<[0-9a-f]+>/mute', (request, response) =>
        act(request, response, store.mute(request.params.fingerprint)),
      )
      group.post('/:fingerprint<[0-9a-f]+>/reopen', (request, response) =>
        act(request, response, store.reopen(request.params.fingerprint)),
      )
      loadProfiles().declareProfiles(group, router, inbox.root)
    },
    middlewares,
  )
  if (path !== null) {
    const { root } = inbox
    loadKeeping().keepRequests(router, server, { path, root, guard: middlewares })
  }
  if (queues.length === 0) return
  const listed = queues.map((queue) => ({ queue }))
  router.group('/queue', (group) => declareQueues(router, group, listed), middlewares)
}

/** Checks at startup that forms are protected, and sets the headers of the pages. */
class InboxPages implements MiddlewareObject {
  readonly phase = Phases.Guard

  process(_request: Request, response: Response, next: Next): Response | Promise<Response> {
    response
      .header('Cache-Control', 'no-store')
      // A form with an expired token is sent back to its page, which is known by its referrer.
      .header('Referrer-Policy', 'same-origin')
      .header('X-Content-Type-Options', 'nosniff')
      .header(
        'Content-Security-Policy',
        `default-src 'none'; style-src 'nonce-${response.nonce}'; img-src data:; ` +
          `base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      )
    return next()
  }

  join(outer: readonly Middleware[]): void {
    if (outer.some((middleware) => middleware instanceof Csrf)) return
    throw new ConfigurationError(
      'E_ROUTE_SET',
      'the route set ErrorInbox needs the middlewares Sessions and Csrf around it: anybody could ' +
        'send its forms; add `sessions` to defineProject()',
    )
  }
}

// The guard may come from untyped code.
function checkGuard(guard: readonly Middleware[]): void {
  if (!Array.isArray(guard) || guard.length === 0) {
    throw new ConfigurationError(
      'E_ROUTE_SET',
      'the route set ErrorInbox needs a guard: a list of at least one middleware that lets only ' +
        'the right people through; return null to turn the inbox off',
    )
  }
  for (const middleware of guard) checkMiddleware(middleware)
}

// Others find a 404 whatever they send: their forms are not even read.
function asGuard(middleware: Middleware): Middleware {
  if (typeof middleware !== 'function') return middleware
  return { phase: Phases.Guard, process: middleware }
}

function queryOf({ query }: Request): ErrorQuery {
  const { state, order, q = '', page = '1' } = query
  const number = /^\d{1,3}$/.test(page) ? Math.max(1, Number(page)) : 1
  return {
    state: Object.values(ErrorStates).find((one) => one === state) ?? ErrorStates.Open,
    order: Object.values(ErrorOrders).find((one) => one === order) ?? ErrorOrders.LastSeen,
    search: q.trim().slice(0, maxSearch).replaceAll('\0', '').toWellFormed(),
    offset: (number - 1) * perPage,
    limit: perPage,
  }
}

function missing(): HttpError {
  return new HttpError(404, 'there is no such error, or it is older than 30 days')
}
