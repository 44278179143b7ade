import { lateModule } from '../base/late-module.ts'
import { routeSet } from '../http/router/route-set.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { ErrorInboxAccess } from './inbox-pages.ts'
import type * as InboxPages from './inbox-pages.ts'

const loadPages = lateModule<typeof InboxPages>(import.meta, './inbox-pages')

/**
 * Shows the errors of an inbox under `/errors`:
 * `ErrorInboxRoutes(({ errors, signedIn, adminsOnly }: Services) => ({ inbox: errors, guard: [signedIn, adminsOnly] }))`.
 * There is no inbox without a guard; while `access` returns null, the set has no routes. Needs sessions
 * and `Csrf`, which the default stack of a project with sessions has.
 */
export function ErrorInboxRoutes<Services>(
  access: (services: Services) => ErrorInboxAccess | null,
): RouteSet<Services> {
  return routeSet<Services>('ErrorInbox', (router, services, server) => {
    const given = access(services)
    if (given !== null) loadPages().declareErrorInbox(router, server, given)
  })
}
