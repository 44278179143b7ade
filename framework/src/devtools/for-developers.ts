import { HttpError } from '../http/errors/http-error.ts'
import { seesDetails } from '../http/errors/sees-details.ts'
import type { MiddlewareFunction } from '../http/router/middleware.ts'

/**
 * Shows pages only to clients on this machine, like debug pages, unless `remote` is true; for others
 * there are no such pages. They are never cached, and links on them tell nobody their address.
 */
export function forDevelopers(remote: boolean): MiddlewareFunction {
  return function forDevelopers(request, response, next) {
    if (!remote && !seesDetails(request)) throw new HttpError(404)
    response
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
      .header('X-Content-Type-Options', 'nosniff')
    return next()
  }
}
