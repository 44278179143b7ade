import { lateModule } from '../../base/late-module.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type * as MailPreviewRoutes from './mail-preview-routes.ts'

// Only developers need it.
const loadMailPreview = lateModule<typeof MailPreviewRoutes>(import.meta, './mail-preview-routes')

/**
 * Shows the mails of the file sink under `/mails`. In development only, and only to clients on this
 * machine unless `DEBUG_REMOTE` is set; otherwise the set has no routes.
 */
export const MailPreview: RouteSet<{ readonly mailer: Mailer }> = routeSet<{
  readonly mailer: Mailer
}>('MailPreview', (router, { mailer: { preview } }, server) => {
  if (preview !== null) loadMailPreview().declareMailPreview(router, server, preview)
})
