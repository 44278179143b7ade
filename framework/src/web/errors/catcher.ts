import { Environments } from '../../app/environments/environments.ts'
import { Throwables } from '../../base/debugging/throwables.ts'
import { toError } from '../../base/debugging/to-error.ts'
import type { Views } from '../../base/templates/views.ts'
import { prefersJson } from '../request/accept.ts'
import { plainAddress } from '../request/peer.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { statusText } from '../server/status.ts'
import { developerDetails, minimalPage } from './error-answer.ts'
import { HttpError } from './http-error.ts'

/** What a catcher works with. */
export interface CatcherOptions {
  readonly environment: Environments
  readonly throwables?: Throwables
  readonly views?: Views | null
}

/** Turns whatever was thrown into an answer that fits the environment and the client. */
export interface Catcher {
  /** Reports the throwable (statuses below 500 are answers, not incidents) and fills the response. */
  respond(request: Request | null, response: Response, throwable: unknown): Response
}

/** Builds a catcher. It never throws: if the error page itself fails, the answer is a bare 500. */
export function createCatcher({
  environment,
  throwables = Throwables,
  views = null,
}: CatcherOptions): Catcher {
  return {
    respond(request, response, throwable) {
      const error = toError(throwable)
      const status = error instanceof HttpError ? error.status : 500
      if (status >= 500) throwables.notify(error, contextOf(request))
      response.reset().status(status)
      if (error instanceof HttpError) {
        for (const [name, value] of Object.entries(error.headers)) response.header(name, value)
      }
      try {
        return fill(request, response, error, status)
      } catch (failure) {
        throwables.notify(failure, contextOf(request))
        return response.reset().status(500).text(statusText(500))
      }
    },
  }

  function fill(
    request: Request | null,
    response: Response,
    error: Error,
    status: number,
  ): Response {
    response.vary('Accept').header('Cache-Control', 'no-store')
    if (environment === Environments.Test) return response.text(status >= 500 ? ' ' : '')
    if (prefersJson(request?.header('accept'))) return response.json({ error: statusText(status) })
    const details = shownDetails(request, error)
    if (details !== '') return response.html(minimalPage(status, details))
    const page = `errors/${status}`
    if (views?.has(page) === true) return response.view(page, { status, text: statusText(status) })
    return response.html(minimalPage(status))
  }

  function shownDetails(request: Request | null, error: Error): string {
    const shown =
      environment === Environments.Development && request !== null && isLoopback(request.peer)
    return shown && !(error instanceof HttpError && error.status < 500)
      ? developerDetails(error)
      : ''
  }
}

function contextOf(request: Request | null): Record<string, unknown> {
  if (request === null) return {}
  return {
    interface: 'WPI',
    method: request.method,
    URI: request.path,
    peer: request.peer,
    request: request.id,
  }
}

function isLoopback(peer: string): boolean {
  const address = plainAddress(peer)
  return address === '::1' || address.startsWith('127.')
}
