import { createHmac } from 'node:crypto'
import type { Emitter, Event } from '../events/emitter.ts'
import { event } from '../events/emitter.ts'
import type { Request } from '../http/request/request.ts'
import { routeLabel } from '../http/request/security-events.ts'
import type { ApplicationKey } from '../settings/application-key.ts'
import { normalEmail } from './email-address.ts'

/**
 * An authentication event: which account, from where and when. It contains no secret and nothing
 * that a guest has typed, in particular no e-mail.
 */
export interface AuthEventPayload {
  /** Id of the account; null if unknown, for example when a sign-in fails. */
  readonly user: string | null
  /** Address of the client. */
  readonly peer: string
  /**
   * The user agent, for mails to the owner. `AuthAudit` does not log it, since the client can send
   * anything.
   */
  readonly agent?: string
  /** Method and pattern of the route, such as `POST /login`; null if no route matched. */
  readonly route?: string | null
  /**
   * Keyed digest of the e-mail that was typed, for a refused sign-in: see `accountDigest`. Never the
   * e-mail itself.
   */
  readonly account?: string | null
  /** How it was done: `password`, `password+totp`, `device`; null if that is clear. */
  readonly method?: string | null
  /**
   * Which one was added: the handle of a passkey or API token, for example. `AccountUndo` takes it away by
   * this. Not a secret.
   */
  readonly subject?: string
  /** Who did it, if not the account itself: `operator` for a command. */
  readonly actor?: string
  /** Why a sign-in was refused, as a word such as `expired`; never what somebody has sent. */
  readonly reason?: string | null
  /** Id of the request; null outside a request. */
  readonly request: string | null
  /** Epoch seconds. */
  readonly at: number
}

/** An authentication event. Listeners receive one payload. */
export interface AuthEvent extends Event<[payload: AuthEventPayload]> {
  /** What the log says. */
  readonly message: string
  /** Suspicious ones are warnings, so that `LOG_LEVEL=warn` keeps them. */
  readonly level: 'info' | 'warn'
}

const info = declare('info')
const warn = declare('warn')

function declare(level: AuthEvent['level']): (name: string, message: string) => AuthEvent {
  return (name, message) =>
    Object.freeze({ ...event<[payload: AuthEventPayload]>(`auth.${name}`), message, level })
}

class AuthEventTable {
  readonly Registered: AuthEvent = info('registered', 'account created')
  readonly Verified: AuthEvent = info('verified', 'e-mail verified')
  /** Someone signed in: `method` says how. */
  readonly Login: AuthEvent = info('login', 'signed in')
  /** A sign-in, or a check of the current password or of a factor, was refused. */
  readonly Failed: AuthEvent = warn('failed', 'sign-in refused')
  readonly Logout: AuthEvent = info('logout', 'signed out')
  readonly Revived: AuthEvent = info('revived', 'signed in by a trusted device')
  /** A device token was replayed: all devices and sessions of the account were ended. */
  readonly Theft: AuthEvent = warn('theft', 'stolen device token, all devices signed out')
  /** A password was reset through a mailed link. */
  readonly Reset: AuthEvent = info('reset', 'password reset')
  /** A password was changed by someone who knew the old one. */
  readonly Changed: AuthEvent = info('changed', 'password changed')
  /** Someone signed in from a device that was not seen for 90 days. */
  readonly NewDevice: AuthEvent = info('new_device', 'signed in from a new device')
  readonly Confirmed: AuthEvent = info('confirmed', 'identity confirmed')
  /** An account got a factor: one that is asked for when signing in, or a passkey. */
  readonly FactorAdded: AuthEvent = info('factor_added', 'factor added')
  /** An account has lost a factor, or one passkey of several. */
  readonly FactorRemoved: AuthEvent = warn('factor_removed', 'factor removed')
  readonly IdentityLinked: AuthEvent = info('identity_linked', 'identity of another site linked')
  readonly IdentityUnlinked: AuthEvent = warn(
    'identity_unlinked',
    'identity of another site unlinked',
  )
  /** A password was deleted: it was set before the owner of the address had come. */
  readonly PasswordRemoved: AuthEvent = warn('password_removed', 'password removed')
  readonly Ended: AuthEvent = info('ended', 'sessions or devices ended')
  /** Somebody came as far as the factor of an account, which is not proven yet: `method` says how. */
  readonly FactorAsked: AuthEvent = info('factor_asked', 'factor asked for')
  readonly Suspended: AuthEvent = warn('suspended', 'account suspended')
  readonly Restored: AuthEvent = info('restored', 'account restored')
  readonly RecoveryUsed: AuthEvent = warn('recovery_used', 'recovery code used')
  readonly CodesRenewed: AuthEvent = info('codes_renewed', 'recovery codes renewed')
  /** A passkey was refused because its counter did not grow: there may be a copy of it. */
  readonly PasskeyCopied: AuthEvent = warn(
    'passkey_copied',
    'passkey refused: its counter did not grow',
  )
  readonly TokenCreated: AuthEvent = info('token_created', 'API token created')
  readonly TokenRevoked: AuthEvent = info('token_revoked', 'API token revoked')
  /** A link that changes the e-mail of an account was sent to the new address. */
  readonly EmailRequested: AuthEvent = info('email_requested', 'change of e-mail requested')
  readonly EmailChanged: AuthEvent = info('email_changed', 'e-mail changed')
  /** The former e-mail of an account was restored, by the link that was sent there. */
  readonly EmailRestored: AuthEvent = warn('email_restored', 'former e-mail restored')
  readonly DeletionRequested: AuthEvent = info(
    'deletion_requested',
    'deletion of the account requested',
  )
  readonly DeletionCancelled: AuthEvent = info(
    'deletion_cancelled',
    'deletion of the account cancelled',
  )
  readonly Deleted: AuthEvent = info('deleted', 'account deleted')
  readonly ExportRequested: AuthEvent = info('export_requested', 'export of the account requested')
  readonly ExportReady: AuthEvent = info('export_ready', 'export of the account ready')
  readonly ExportDownloaded: AuthEvent = info(
    'export_downloaded',
    'export of the account downloaded',
  )
}

/** The names of the authentication events. */
export type AuthEventName = keyof AuthEventTable

/** All authentication events. */
export const AuthEvents: Readonly<Record<AuthEventName, AuthEvent>> = Object.freeze(
  new AuthEventTable(),
)

/** The part of a request that an entry records. */
type EntryOrigin = Pick<Request, 'id' | 'peer' | 'header'>

type EventDetails = Pick<AuthEventPayload, 'user' | 'account' | 'method' | 'reason' | 'at'>

/** Emits an authentication event that happened during a request; `at` is in epoch seconds. */
export function emitAuthEvent(
  emitter: Emitter,
  authEvent: AuthEvent,
  request: EntryOrigin & Pick<Request, 'method' | 'route'>,
  { user, account = null, method = null, reason = null, at }: EventDetails,
): void {
  if (!emitter.hasListeners(authEvent)) return
  const origin = { ...entryOrigin(request), route: routeLabel(request) }
  const details = { user, account, method, ...(reason !== null && { reason }) }
  emitter.emit(authEvent, Object.freeze({ ...details, ...origin, at: Math.floor(at) }))
}

/** The name of an event in labels, log lines and tables: `FactorAdded` becomes `factor_added`. */
export function eventLabel(name: string): string {
  return name.replace(/\B[A-Z]/g, '_$&').toLowerCase()
}

const hexDigits = 32

/**
 * Returns a function that turns the e-mail of a refused sign-in into a digest for logs. Equal e-mails
 * have equal digests, and without the application key nobody can tell which e-mail it was: a plain
 * hash could be guessed from a list of addresses.
 */
export function accountDigest(key: ApplicationKey): (email: string) => string {
  const secret = key.derive('account digests')
  return (email) =>
    createHmac('sha256', secret)
      .update(normalEmail(email) ?? email)
      .digest('hex')
      .slice(0, hexDigits)
}

/** Where a request came from, as an entry takes it. */
export function entryOrigin(
  request: EntryOrigin,
): Required<Pick<AuthEventPayload, 'peer' | 'agent'>> & { readonly request: string } {
  return { peer: request.peer, agent: request.header('user-agent') ?? '', request: request.id }
}
