import { FRAMEWORK_ENVIRONMENT } from '../../app/environments/boot-environment.ts'
import { Environments } from '../../app/environments/environments.ts'
import { messageOf } from '../../base/reports/message-of.ts'
import { ReportCounts } from '../../base/throwables/report-limit.ts'
import { Throwables } from '../../base/throwables/throwables.ts'
import { toError } from '../../base/throwables/to-error.ts'
import { OverloadedError } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { RouteSummary } from '../router/route.ts'
import { statusText } from '../server/engine/status.ts'
import type { MoreContext } from './debug-page.ts'
import { ErrorFormats, errorFormat } from './error-format.ts'
import { HttpError } from './http-error.ts'
import { loadDebugPage, loadDevelopmentPayload } from './load-details.ts'
import { nearRoutes } from './near-routes.ts'
import { RefusedInput } from './refused-input.ts'
import { reportContext } from './report-context.ts'
import { seesDetails } from './sees-details.ts'
import { fillStatus } from './status-response.ts'

/** What a catcher works with. */
export interface CatcherOptions {
  readonly environment?: Environments
  readonly throwables?: Throwables
  /** Folder that the files of a trace are named from; the working folder unless given. */
  readonly root?: string
  /** Shows details in development to every client, not only to those at this machine. */
  readonly debugRemote?: boolean
  /** The routes there are, for hints in development. */
  readonly routes?: () => readonly RouteSummary[]
  /** More sections for the debug page. */
  readonly context?: MoreContext
  /** The clock by which reports of an overload are spaced, in milliseconds. */
  readonly nowMs?: () => number
}

/** Turns whatever was thrown into an answer that fits the environment and the client. */
export interface Catcher {
  /** Stands in for the environment in the next call of `respond`, and in that one only. */
  Environment: Environments | null
  /**
   * Reports the throwable (an `HttpError` below 500 and refused input are answers, not incidents; an
   * overload is reported once a minute) and fills the response. Without a throwable it is the plain answer of
   * `code`. Never throws.
   */
  respond(request: Request | null, response: Response, throwable?: unknown, code?: number): Response
}

/** One failure on its way to an answer. */
interface Failure {
  readonly request: Request | null
  readonly error: Error | null
  readonly status: number
  readonly environment: Environments
  /** Whether it is worth a report: everything but what only answers the client. */
  readonly incident: boolean
  /** Whether the client may see what only developers should. */
  readonly detailed: boolean
}

/**
 * Anybody can send more than a server bears. One report a minute, with the number of those it stands
 * for, says all there is; one for each request would fill the log just when it is least needed. Each
 * answer still counts in the metrics, as a 503.
 */
const overloadReports = { most: 1, window: 60 }

/** Builds a catcher. If the error page itself fails, the answer is a bare 500. */
export function createCatcher(options: CatcherOptions = {}): Catcher {
  const { environment: usual = FRAMEWORK_ENVIRONMENT, throwables = Throwables } = options
  const { root = process.cwd(), debugRemote = false, routes = () => [], context } = options
  const overloads = new ReportCounts(options.nowMs ?? (() => performance.now()))

  const catcher: Catcher = {
    Environment: null,
    respond(request, response, throwable = null, code = 500) {
      const environment = catcher.Environment ?? usual
      catcher.Environment = null
      try {
        const failure = failureOf(request, throwable, code, environment)
        if (failure.incident) report(failure)
        return answer(response.reset(), failure)
      } catch (broken) {
        throwables.notify(broken, { interface: 'WPI' })
        return response.reset().status(500).text(statusText(500))
      }
    },
  }
  return catcher

  function report({ error, request }: Failure): void {
    const overload = error instanceof OverloadedError
    const suppressed = overload ? overloads.admit(error, overloadReports) : 0
    if (suppressed === null) return
    const facts = reportContext(request)
    throwables.notify(error, suppressed === 0 ? facts : { ...facts, suppressed })
  }

  function failureOf(
    request: Request | null,
    throwable: unknown,
    code: number,
    environment: Environments,
  ): Failure {
    const error = throwable === null ? null : toError(throwable)
    const status = statusOf(error) ?? code
    const incident = error !== null && !isAnswer(error)
    const developing = environment === Environments.Development && request !== null
    const detailed = developing && (debugRemote || seesDetails(request))
    return { request, error, status, environment, incident, detailed }
  }

  function answer(response: Response, failure: Failure): Response {
    const { request, error, status, environment, incident, detailed } = failure
    response.status(status).vary('Accept').header('Cache-Control', 'no-store')
    if (request !== null) response.header('X-Request-Id', request.id)
    for (const [name, value] of Object.entries(headersOf(error))) response.header(name, value)
    // Byte for byte what tests have come to rely on.
    if (environment === Environments.Test) return response.text(incident ? ' ' : '')
    if (incident && detailed && error !== null && request !== null) {
      const format = errorFormat(request.header('accept'))
      if (format === ErrorFormats.Page) {
        return loadDebugPage().debugPage(request, response, error, { root, context })
      }
      if (format === ErrorFormats.Payload) {
        return response.json(loadDevelopmentPayload().developmentPayload(error, root))
      }
    }
    return fillStatus(request, response, {
      near: detailed && request !== null && status === 404 ? nearRoutes(request, routes()) : [],
      retryAfter: waitOf(headersOf(error)['Retry-After']),
      ...(detailed && error !== null && { message: messageOf(error) }),
    })
  }
}

function isAnswer(error: Error): boolean {
  return error instanceof RefusedInput || (error instanceof HttpError && error.status < 500)
}

function statusOf(error: Error | null): number | null {
  if (error instanceof HttpError || error instanceof RefusedInput) return error.status
  return error instanceof OverloadedError ? 503 : null
}

function headersOf(error: Error | null): Readonly<Record<string, string>> {
  if (error instanceof HttpError) return error.headers
  return error instanceof OverloadedError ? { 'Retry-After': String(error.retryAfter) } : {}
}

/** The seconds of a `Retry-After`; null where there is none, or a date. */
function waitOf(header: string | undefined): number | null {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : null
}

/** The shared catcher, for those who answer failures by hand. */
export const Catcher: Catcher = createCatcher()
