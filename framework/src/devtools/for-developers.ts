import { HttpError } from '../http/errors/http-error.ts'
import { seesDetails } from '../http/errors/sees-details.ts'
import { csrfToken } from '../http/middlewares/csrf-token.ts'
import type { Request } from '../http/request/request.ts'
import type { MiddlewareFunction } from '../http/router/middleware.ts'
import { gate } from './tools.ts'

/**
 * Shows pages only to clients on this machine, like debug pages, unless `remote` is true; for others
 * there are no such pages. They are never cached, and links on them tell nobody their address.
 */
export function forDevelopers(remote: boolean): MiddlewareFunction {
  const allows = (request: Request): boolean => remote || seesDetails(request)
  return gate(function forDevelopers(request, response, next) {
    if (!allows(request)) throw new HttpError(404)
    response
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
      .header('X-Content-Type-Options', 'nosniff')
    return next()
  }, allows)
}

/**
 * The CSRF token for the script of a page for developers; empty without sessions. The store may be
 * down, and such pages are needed most when something is broken.
 */
export async function pageToken(request: Request): Promise<string> {
  if (request.sessions === null) return ''
  return csrfToken(request).catch(() => '')
}
