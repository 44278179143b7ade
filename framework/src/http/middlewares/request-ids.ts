import { CurrentWork } from '../../activity/current-work.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'

/** Sends the request's id as `X-Request-Id` and adds it to every log line of the request. */
export class RequestIds implements MiddlewareObject {
  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    // Lines of an activity have its id anyway.
    return request.activity === null ? CurrentWork.runFields({ request: request.id }, next) : next()
  }

  finish(request: Request, response: Response): void {
    response.headers.set('X-Request-Id', request.id)
  }
}
