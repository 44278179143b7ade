import type { Request } from '../../../http/request/request.ts'
import type { MiddlewareObject } from '../../../http/router/middleware.ts'
import type { PathParams } from '../../../http/router/path-params.ts'

/** Path parameters of the links in mails. */
export type LinkParams = PathParams<'/:selector/:verifier'>

/** The token in a link. */
export function tokenOf({ params }: Request<LinkParams>): string {
  return `${params.selector}.${params.verifier}`
}

/**
 * Keeps secret addresses out of caches and away from other sites. Set on every response, because rate
 * limit and error pages have the same address.
 */
export const linkHeaders: MiddlewareObject = {
  // It needs no body, so guards behind it refuse a request before theirs is read.
  phase: 'guard',
  process: (_request, _response, next) => next(),
  finish: (_request, response) => {
    // Not no-referrer: browsers would then send the form with `Origin: null`.
    response.header('Referrer-Policy', 'same-origin').header('Cache-Control', 'no-store')
  },
}
