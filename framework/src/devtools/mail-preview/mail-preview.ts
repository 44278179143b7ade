import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type { Mailer } from '../../mail/mailer.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type * as MailPreviewRoutes from './mail-preview-routes.ts'

/**
 * Shows the mails of the file sink under `/mails`. In development only, and only to clients on this
 * machine unless `DEBUG_REMOTE` is set; otherwise the set has no routes.
 */
export const MailPreview: RouteSet<{ readonly mailer: Mailer }> = routeSet<{
  readonly mailer: Mailer
}>('MailPreview', (router, { mailer: { preview } }) => {
  if (preview !== null) loadMailPreview().declareMailPreview(router, preview)
})

// Loaded on first use: only developers need it.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

function loadMailPreview(): typeof MailPreviewRoutes {
  return require(`./mail-preview-routes${ending}`)
}
