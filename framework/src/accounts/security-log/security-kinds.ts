import { AuthEvents } from '../auth-events.ts'
import type { AuthEvent } from '../auth-events.ts'
import { SecurityEvents } from '../../http/security-events.ts'
import type { SecurityEvent } from '../../http/security-events.ts'

/** The kinds of lines in the security log; also the label `kind` of `security_events_total`. */
export const SecurityKinds = {
  Limit: 'limit',
  Csrf: 'csrf',
  Origin: 'origin',
  Forbidden: 'forbidden',
  ForeignId: 'foreign_id',
  SignIn: 'sign_in',
  Confirmation: 'confirmation',
  Theft: 'theft',
  PasskeyCopied: 'passkey_copied',
  Suspended: 'suspended',
  Restored: 'restored',
} as const
Object.freeze(SecurityKinds)

export type SecurityKinds = (typeof SecurityKinds)[keyof typeof SecurityKinds]

/** The event that makes a line of a kind, and how the line reads. */
export interface SecurityKind {
  readonly event: SecurityEvent | AuthEvent
  /** Refusals are warnings, so that `LOG_LEVEL=warn` keeps them. */
  readonly level: 'info' | 'warn'
  readonly message: string
}

/** Every kind of the security log. */
export const securityKinds: Readonly<Record<SecurityKinds, SecurityKind>> = {
  limit: {
    event: SecurityEvents.LimitExceeded,
    level: 'warn',
    message: 'a rate limit was exceeded',
  },
  csrf: {
    event: SecurityEvents.TokenRefused,
    level: 'warn',
    message: 'a form without its CSRF token was refused',
  },
  origin: {
    event: SecurityEvents.OriginRefused,
    level: 'warn',
    message: 'a request of another site was refused',
  },
  forbidden: {
    event: SecurityEvents.Forbidden,
    level: 'warn',
    message: 'a request was forbidden',
  },
  foreign_id: {
    event: SecurityEvents.ForeignId,
    level: 'warn',
    message: 'an unknown or foreign id was refused',
  },
  sign_in: { event: AuthEvents.Failed, level: 'warn', message: 'a sign-in was refused' },
  confirmation: { event: AuthEvents.Verified, level: 'info', message: 'an e-mail was verified' },
  theft: { event: AuthEvents.Theft, level: 'warn', message: 'a stolen device token was used' },
  passkey_copied: {
    event: AuthEvents.PasskeyCopied,
    level: 'warn',
    message: 'a passkey was refused, of which there may be a copy',
  },
  suspended: { event: AuthEvents.Suspended, level: 'warn', message: 'an account was suspended' },
  restored: { event: AuthEvents.Restored, level: 'info', message: 'an account was restored' },
}
