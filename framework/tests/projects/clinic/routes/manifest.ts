import { ObservabilityRoutes } from 'framework/http'
import { MailPreview } from 'framework/mail'
import { Bookings } from './bookings.ts'
import { Home } from './home.ts'

/** The enabled route sets: add a name to enable a set, remove it to disable it. */
export const manifest = [
  Home,
  Bookings,
  // /mails, in development: what was sent.
  MailPreview,
  // /metrics and /ready, for private networks.
  ObservabilityRoutes,
]
