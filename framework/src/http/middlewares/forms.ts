import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { MiddlewarePhase } from '../router/phases.ts'

/**
 * Reads forms before the handler runs, so that `request.fields` and `request.files` are available, but
 * only after the guards of the route. Bodies of other types are left to the handler.
 */
export class Forms implements MiddlewareObject {
  readonly phase: MiddlewarePhase = Phases.Body

  /** @throws HttpError 413 above the limits, 400 if the form is malformed. */
  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    return request.hasBody && isForm(request.type) ? readFirst(request, next) : next()
  }
}

async function readFirst(request: Request, next: Next): Promise<Response> {
  await request.form()
  return next()
}
