import type { MiddlewareObject, PathParams, Request } from 'framework/http'

/** Parameters of a link that a mail holds. */
export type LinkParams = PathParams<'/:selector/:verifier'>

/** The token that a link is made of. */
export function tokenOf({ params }: Request<LinkParams>): string {
  return `${params.selector}.${params.verifier}`
}

/**
 * Keeps a page whose address is a secret out of caches and of other sites, whatever it answers: the
 * refusal of a limit and an error page have the same address.
 */
export const linkHeaders: MiddlewareObject = {
  process: (_request, _response, next) => next(),
  finish: (_request, response) => {
    // Not no-referrer: browsers would send the form of the page with an origin of null.
    response.header('Referrer-Policy', 'same-origin').header('Cache-Control', 'no-store')
  },
}
