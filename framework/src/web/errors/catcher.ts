import { FRAMEWORK_ENVIRONMENT } from '../../app/environments/boot-environment.ts'
import { Environments } from '../../app/environments/environments.ts'
import { messageOf } from '../../base/debugging/message-of.ts'
import { Throwables } from '../../base/debugging/throwables.ts'
import { toError } from '../../base/debugging/to-error.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { RouteSummary } from '../router/route.ts'
import { statusText } from '../server/status.ts'
import type { MoreContext } from './debug-page.ts'
import { ErrorFormats, errorFormat } from './error-format.ts'
import { minimalPage } from './error-page.ts'
import { HttpError } from './http-error.ts'
import { loadDebugPage, loadDevelopmentPayload } from './load-details.ts'
import { nearRoutes } from './near-routes.ts'
import { problemPayload } from './problem-payload.ts'
import { reportContext, shownPath } from './report-context.ts'
import { seesDetails } from './sees-details.ts'

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
}

/** Turns whatever was thrown into an answer that fits the environment and the client. */
export interface Catcher {
  /** Stands in for the environment in the next call of `respond`, and in that one only. */
  Environment: Environments | null
  /**
   * Reports the throwable (an `HttpError` below 500 is an answer, not an incident) and fills the
   * response. Without a throwable it is the plain answer of `code`. Never throws.
   */
  respond(request: Request | null, response: Response, throwable?: unknown, code?: number): Response
}

/** One failure on its way to an answer. */
interface Failure {
  readonly request: Request | null
  readonly error: Error | null
  readonly status: number
  readonly environment: Environments
  /** Whether it is worth a report: everything but an `HttpError` below 500. */
  readonly incident: boolean
  /** Whether the client may see what only developers should. */
  readonly detailed: boolean
}

/** Builds a catcher. If the error page itself fails, the answer is a bare 500. */
export function createCatcher(options: CatcherOptions = {}): Catcher {
  const { environment: usual = FRAMEWORK_ENVIRONMENT, throwables = Throwables } = options
  const { root = process.cwd(), debugRemote = false, routes = () => [], context } = options

  const catcher: Catcher = {
    Environment: null,
    respond(request, response, throwable = null, code = 500) {
      const environment = catcher.Environment ?? usual
      catcher.Environment = null
      try {
        const failure = failureOf(request, throwable, code, environment)
        if (failure.incident) throwables.notify(failure.error, reportContext(request))
        return answer(response.reset(), failure)
      } catch (broken) {
        throwables.notify(broken, { interface: 'WPI' })
        return response.reset().status(500).text(statusText(500))
      }
    },
  }
  return catcher

  function failureOf(
    request: Request | null,
    throwable: unknown,
    code: number,
    environment: Environments,
  ): Failure {
    const error = throwable === null ? null : toError(throwable)
    const status = error instanceof HttpError ? error.status : code
    const incident = error !== null && !(error instanceof HttpError && status < 500)
    const developing = environment === Environments.Development && request !== null
    const detailed = developing && (debugRemote || seesDetails(request))
    return { request, error, status, environment, incident, detailed }
  }

  function answer(response: Response, failure: Failure): Response {
    const { request, error, status, environment, incident } = failure
    response.status(status).vary('Accept').header('Cache-Control', 'no-store')
    if (request !== null) response.header('X-Request-Id', request.id)
    if (error instanceof HttpError) {
      for (const [name, value] of Object.entries(error.headers)) response.header(name, value)
    }
    // Byte for byte what tests have come to rely on.
    if (environment === Environments.Test) return response.text(incident ? ' ' : '')
    const format = errorFormat(request?.header('accept'))
    if (format === ErrorFormats.Page) return answerPage(response, failure)
    return format === ErrorFormats.Problem
      ? answerProblem(response, failure)
      : answerPayload(response, failure)
  }

  function answerPage(response: Response, failure: Failure): Response {
    const { request, error, status, incident, detailed } = failure
    if (incident && detailed && error !== null && request !== null) {
      return loadDebugPage().debugPage(request, response, error, { root, context })
    }
    const notes = {
      request: request?.id ?? '',
      message: detailed && error !== null ? messageOf(error) : '',
      near: detailed && request !== null && status === 404 ? nearRoutes(request, routes()) : [],
    }
    const view = `errors/${status}`
    if (!response.hasView(view)) return response.html(minimalPage(status, notes))
    return response.view(view, { status, text: statusText(status), ...notes })
  }

  function answerPayload(response: Response, failure: Failure): Response {
    const { error, status, incident, detailed } = failure
    if (incident && detailed && error !== null) {
      return response.json(loadDevelopmentPayload().developmentPayload(error, root))
    }
    return response.json({ error: statusText(status) })
  }

  function answerProblem(
    response: Response,
    { request, error, status, detailed }: Failure,
  ): Response {
    const problem = problemPayload(status, {
      ...(request !== null && { instance: shownPath(request), request: request.id }),
      ...(detailed && error !== null && { detail: messageOf(error) }),
    })
    return response.json(problem).header('Content-Type', 'application/problem+json')
  }
}

/** The shared catcher, for those who answer failures by hand. */
export const Catcher: Catcher = createCatcher()
