import type { Mailer } from '../../services/mail/mailer.ts'
import { routeSet } from '../router/route-set.ts'
import type { RouteSet } from '../router/route-set.ts'
import { loadMailPreview } from './load-mail-preview.ts'

/**
 * The mails of the file lane in a browser, under `/mails`. In development only, and for clients at
 * this machine unless `DEBUG_REMOTE` is on; anywhere else the set has no routes.
 */
export const MailPreview: RouteSet<{ readonly mailer: Mailer }> = routeSet<{
  readonly mailer: Mailer
}>('MailPreview', (router, { mailer: { preview } }) => {
  if (preview !== null) loadMailPreview().declareMailPreview(router, preview)
})
