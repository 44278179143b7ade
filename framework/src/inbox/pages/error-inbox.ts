import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type { ErrorInboxAccess } from './error-inbox-access.ts'
import { loadErrorInbox } from '../load-error-inbox.ts'

/**
 * Shows the errors of an inbox under `/errors`:
 * `ErrorInboxRoutes(({ errors, signedIn, adminsOnly }: Services) => ({ inbox: errors, guard: [signedIn, adminsOnly] }))`.
 * There is no inbox without a guard; while `access` returns null, the set has no routes. Needs sessions
 * and `Csrf`, which the default stack of a project with sessions has.
 */
export function ErrorInboxRoutes<Services>(
  access: (services: Services) => ErrorInboxAccess | null,
): RouteSet<Services> {
  return routeSet<Services>('ErrorInbox', (router, services) => {
    const given = access(services)
    if (given !== null) loadErrorInbox().declareErrorInbox(router, given)
  })
}
