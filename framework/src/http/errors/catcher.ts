import type { ErrorCode } from '../../base/error-codes.ts'
import { FrameworkError, OverloadedError, RefusedInput } from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import { messageOf, toError } from '../../base/to-error.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import { ReportCounts } from '../../errors/throwables/report-limit.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import type { Translate } from '../../i18n/languages.ts'
import { FRAMEWORK_ENVIRONMENT } from '../../settings/boot-environment.ts'
import { Environments } from '../../settings/environments.ts'
import { isJsonType } from '../request/body.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { RouteSummary } from '../router/route.ts'
import { statusText } from '../server/engine/node-http.ts'
import type * as DebugPage from './debug-page.ts'
import { ErrorFormats, errorFormatOf } from './error-format.ts'
import { HttpError, TranslatedError } from './http-error.ts'
import { InvalidInput } from './invalid-input.ts'
import { Problem } from './problem.ts'
import { reportInRequest } from '../request/request-activity.ts'
import { seesDetails } from './sees-details.ts'
import { fillStatus } from './status-response.ts'
import type { StatusNotes } from './status-response.ts'

/** Options of `createCatcher`. */
export interface CatcherOptions {
  readonly environment?: Environments
  readonly throwables?: Throwables
  /** Folder that file paths in a trace are relative to. @default process.cwd() */
  readonly root?: string
  /** Whether, in development, clients on other machines see details too. @default false */
  readonly debugRemote?: boolean
  /** The routes of the server, for hints in development. */
  readonly routes?: () => readonly RouteSummary[]
  /** Monotonic milliseconds, for limiting reports; for tests. */
  readonly nowMs?: () => number
}

/** Turns a throwable into a response that fits the environment and the client. */
export interface Catcher {
  /** Overrides the environment for the next call of `respond` only. */
  Environment: Environments | null
  /**
   * Reports the throwable and fills the response. An `HttpError` below 500, refused input and stale rows are
   * not reported; overload and a value that a database rejects are reported once a minute. Without a
   * throwable it sends the plain response for `code`. Never throws.
   */
  respond(request: Request | null, response: Response, throwable?: unknown, code?: number): Response
}

interface Failure {
  readonly request: Request | null
  readonly error: Error | null
  readonly status: number
  readonly environment: Environments
}

/**
 * Any client can cause overload, and send values that a database rejects. One report a minute, with the
 * number of suppressed ones, is enough; one per request would flood the log. Each response still counts in
 * the metrics.
 */
const clientCaused = { max: 1, window: 60 }

/** A server cannot be reached. By code, since a server without a database loads no class for it. */
const unreachable: ReadonlySet<ErrorCode> = new Set([
  'E_CONNECTION_LOST',
  'E_DATABASE_BUSY',
  'E_POOL_TIMEOUT',
  'E_REDIS_LOST',
  'E_REDIS_TIMEOUT',
  'E_STORAGE_LOST',
  'E_STORAGE_TIMEOUT',
  'E_UNAVAILABLE',
])

/** In seconds, as for sessions whose store does not respond. */
const databaseRetryAfter = 5

// Loaded with the first error that shows details, so never in production.
const loadDebugPage = lateModule<typeof DebugPage>(import.meta, './debug-page')

/** Creates a catcher. If the error page itself fails, the response is a bare 500. */
export function createCatcher(options: CatcherOptions = {}): Catcher {
  const { environment: ownEnvironment = FRAMEWORK_ENVIRONMENT, throwables = Throwables } = options
  const { root = process.cwd(), debugRemote = false, routes = () => [] } = options
  const counts = new ReportCounts(options.nowMs ?? (() => performance.now()))

  const catcher: Catcher = {
    Environment: null,
    respond(request, response, throwable = null, code = 500) {
      const environment = catcher.Environment ?? ownEnvironment
      catcher.Environment = null
      try {
        const error = throwable === null ? null : shownError(toError(throwable))
        const status = statusOf(error) ?? code
        if (isReportable(error)) report(error, request)
        return fill(response.reset(), { request, error, status, environment })
      } catch (error) {
        throwables.notify(error, { interface: 'WPI' })
        return response.reset().status(500).text(statusText(500))
      }
    },
  }
  return catcher

  function report(error: Error, request: Request | null): void {
    const isLimited = error instanceof OverloadedError || isRejectedValue(error)
    const suppressed = isLimited ? counts.admit(error, clientCaused) : 0
    if (suppressed === null) return
    reportInRequest(throwables, error, request, suppressed === 0 ? {} : { suppressed })
  }

  function fill(response: Response, { request, error, status, environment }: Failure): Response {
    const developing = environment === Environments.Development && request !== null
    // Whether the client may see details of the error.
    const detailed = developing && (debugRemote || seesDetails(request))
    response.status(status).vary('Accept').header('Cache-Control', 'no-store')
    if (request !== null) response.header('X-Request-Id', request.id)
    for (const [name, value] of Object.entries(headersOf(error))) response.header(name, value)
    const exposed = error instanceof HttpError && error.expose
    // These exact bodies are part of the specification.
    if (environment === Environments.Test && !exposed)
      return response.text(isReportable(error) ? ' ' : '')
    if (isReportable(error) && detailed) {
      const format = errorFormatOf(request)
      if (format === ErrorFormats.Page) {
        return loadDebugPage().debugPage(request, response, error, root)
      }
      if (format === ErrorFormats.Payload) {
        return response.json(loadDebugPage().developmentPayload(error, root))
      }
    }
    return fillStatus(request, response, {
      near: detailed && request !== null && status === 404 ? nearRoutes(request, routes()) : [],
      thrown: detailed && error !== null ? loadDebugPage().ownLineOf(error, root) : '',
      retryAfter: secondsOf(headersOf(error)['Retry-After']),
      ...(error instanceof HttpError && { problem: error.problem }),
      ...(exposed && { error: messageOf(error) }),
      ...((exposed || detailed) && error !== null && { message: messageOf(error) }),
      ...(error instanceof Problem && { details: error }),
      ...(error instanceof TranslatedError && { text: (t: Translate) => error.textIn(t) }),
      ...(error instanceof InvalidInput && inputNotes(request, error)),
    })
  }
}

/** The shared catcher, for code that handles errors itself. */
export const Catcher: Catcher = createCatcher()

// Refused input may say in its cause what the client is told.
function shownError(error: Error): Error {
  return error instanceof RefusedInput && error.cause instanceof Problem ? error.cause : error
}

/** False for an `HttpError` below 500, refused input and what is no fault of the application. */
function isReportable(error: Error | null): error is Error {
  if (error === null || error instanceof RefusedInput) return false
  if (error instanceof HttpError) return error.status >= 500
  return !(error instanceof FrameworkError && error.code in expected)
}

// None of these is a fault of the application.
const expected: Readonly<Partial<Record<ErrorCode, number>>> = {
  // Signed out since the request came in, where no `Authentication` leads to the sign-in.
  E_SESSION_ENDED: 401,
  // Another change came first.
  E_STALE_ROW: 409,
  // The key is a visitor's, or the object was deleted or replaced just now.
  E_STORAGE_KEY: 404,
  E_STORAGE_MISSING: 404,
  E_STORAGE_CHANGED: 409,
  E_STORAGE_SIZE: 413,
  E_STORAGE_TYPE: 415,
}

function statusOf(error: Error | null): number | null {
  if (error instanceof HttpError) return error.status
  if (error instanceof RefusedInput || isRejectedValue(error)) return 400
  const status = error instanceof FrameworkError ? expected[error.code] : undefined
  return status ?? (retryAfterOf(error) === null ? null : 503)
}

function headersOf(error: Error | null): Readonly<Record<string, string>> {
  if (error instanceof HttpError) return error.headers
  const retryAfter = retryAfterOf(error)
  return retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }
}

// Most values come from clients: a text that is no uuid, or too long for its column.
function isRejectedValue(error: Error | null): error is FrameworkError {
  return error instanceof FrameworkError && error.code === 'E_VALUE'
}

/** The seconds after which the same request may succeed; null if nothing suggests that it will. */
function retryAfterOf(error: Error | null): number | null {
  if (error instanceof OverloadedError) return error.retryAfter
  const isAway = error instanceof FrameworkError && unreachable.has(error.code)
  return isAway ? databaseRetryAfter : null
}

/**
 * The routes most similar to the requested path, as `GET /users/:id`, most similar first. If a route
 * matched and responded with 404 itself, it is left out.
 */
export function nearRoutes(
  { path, route }: Pick<Request, 'path' | 'route'>,
  routes: readonly RouteSummary[],
): string[] {
  const others = routes.filter(({ pattern }) => pattern !== route)
  const patterns = Map.groupBy(others, ({ pattern }) => filledIn(pattern, path))
  return nearNames(path, [...patterns.keys()]).flatMap((filled) =>
    (patterns.get(filled) ?? []).map(({ method, pattern }) => `${method} ${pattern}`),
  )
}

// A parameter counts as equal to whatever the path has in its place.
function filledIn(pattern: string, path: string): string {
  const parts = path.split('/')
  return pattern
    .split('/')
    .map((part, at) => (/^[:*]/.test(part) ? (parts[at] ?? part) : part))
    .join('/')
}

/** The seconds of a `Retry-After`; null if it is missing or a date. */
function secondsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : null
}

// Who sends JSON is a program, which often accepts anything. A page has no other place for the messages.
function inputNotes(request: Request | null, error: InvalidInput): StatusNotes {
  const isProgram = request !== null && isJsonType(request.type)
  return { problem: isProgram, text: (t) => error.summary(t) }
}
