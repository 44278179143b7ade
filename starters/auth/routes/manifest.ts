import { ObservabilityRoutes } from 'framework/http'
import { MailPreview } from 'framework/mail'
import { Home } from './home.ts'

/** The enabled route sets: add a name to enable a set, remove it to disable it. */
export const manifest = [
  Home,
  // /mails, in development: what was sent.
  MailPreview,
  // /metrics and /ready, for private networks.
  ObservabilityRoutes,
]
