import { createHmac } from 'node:crypto'
import type { Emitter, Event } from '../events/emitter.ts'
import { event } from '../events/emitter.ts'
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

function declare(name: string, message: string, level: AuthEvent['level'] = 'info'): AuthEvent {
  return Object.freeze({ ...event<[payload: AuthEventPayload]>(name), message, level })
}

/** All authentication events. */
export const AuthEvents: Readonly<Record<AuthEventName, AuthEvent>> = Object.freeze({
  /** An account was created. */
  Registered: declare('auth.registered', 'account created'),
  /** The owner of an account has verified its e-mail. */
  Verified: declare('auth.verified', 'e-mail verified'),
  /** Someone signed in: `method` says how. */
  Login: declare('auth.login', 'signed in'),
  /** A sign-in, or a check of the current password or of a factor, was refused. */
  Failed: declare('auth.failed', 'sign-in refused', 'warn'),
  /** Someone signed out. */
  Logout: declare('auth.logout', 'signed out'),
  /** A trusted device was signed in by its cookie. */
  Revived: declare('auth.revived', 'signed in by a trusted device'),
  /** A device token was replayed: all devices and sessions of the account were ended. */
  Theft: declare('auth.theft', 'stolen device token, all devices signed out', 'warn'),
  /** A password was reset through a mailed link. */
  Reset: declare('auth.reset', 'password reset'),
  /** A password was changed by someone who knew the old one. */
  Changed: declare('auth.changed', 'password changed'),
  /** Someone signed in from a device that was not seen for 90 days. */
  NewDevice: declare('auth.new_device', 'signed in from a new device'),
  /** Somebody who is signed in has proved again who they are. */
  Confirmed: declare('auth.confirmed', 'identity confirmed'),
  /** An account got a factor: one that is asked for when signing in, or a passkey. */
  FactorAdded: declare('auth.factor_added', 'factor added'),
  /** An account has lost a factor, or one passkey of several. */
  FactorRemoved: declare('auth.factor_removed', 'factor removed', 'warn'),
  /** An account can be entered with an identity of another site, from now on. */
  IdentityLinked: declare('auth.identity_linked', 'identity of another site linked'),
  /** An account has lost such an identity. */
  IdentityUnlinked: declare('auth.identity_unlinked', 'identity of another site unlinked', 'warn'),
  /** A password was deleted: it was set before the owner of the address had come. */
  PasswordRemoved: declare('auth.password_removed', 'password removed', 'warn'),
  /** Sessions or devices were ended by the owner, or by an operator. */
  Ended: declare('auth.ended', 'sessions or devices ended'),
  /** Somebody came as far as the factor of an account, which is not proven yet: `method` says how. */
  FactorAsked: declare('auth.factor_asked', 'factor asked for'),
  /** An operator has suspended an account: nobody gets in. */
  Suspended: declare('auth.suspended', 'account suspended', 'warn'),
  /** A suspended account can be entered again. */
  Restored: declare('auth.restored', 'account restored'),
  /** A recovery code was used in place of a factor. */
  RecoveryUsed: declare('auth.recovery_used', 'recovery code used', 'warn'),
  /** An account got new recovery codes; the earlier ones are void. */
  CodesRenewed: declare('auth.codes_renewed', 'recovery codes renewed'),
  /** A passkey was refused because its counter did not grow: there may be a copy of it. */
  PasskeyCopied: declare(
    'auth.passkey_copied',
    'passkey refused: its counter did not grow',
    'warn',
  ),
  /** An API token was created. */
  TokenCreated: declare('auth.token_created', 'API token created'),
  /** An API token was revoked. */
  TokenRevoked: declare('auth.token_revoked', 'API token revoked'),
  /** A link that changes the e-mail of an account was sent to the new address. */
  EmailRequested: declare('auth.email_requested', 'change of e-mail requested'),
  /** The e-mail of an account was changed. */
  EmailChanged: declare('auth.email_changed', 'e-mail changed'),
  /** The former e-mail of an account was restored, by the link that was sent there. */
  EmailRestored: declare('auth.email_restored', 'former e-mail restored', 'warn'),
  /** An account will be deleted, after a delay. */
  DeletionRequested: declare('auth.deletion_requested', 'deletion of the account requested'),
  /** An account will not be deleted after all. */
  DeletionCancelled: declare('auth.deletion_cancelled', 'deletion of the account cancelled'),
  /** An account was deleted. */
  Deleted: declare('auth.deleted', 'account deleted'),
  /** The owner of an account has asked for their data. */
  ExportRequested: declare('auth.export_requested', 'export of the account requested'),
  /** The data of an account can be downloaded. */
  ExportReady: declare('auth.export_ready', 'export of the account ready'),
  /** The data of an account was downloaded. */
  ExportDownloaded: declare('auth.export_downloaded', 'export of the account downloaded'),
})

/** The names of the authentication events. */
export type AuthEventName =
  | 'Registered'
  | 'Verified'
  | 'Login'
  | 'Failed'
  | 'Logout'
  | 'Revived'
  | 'Theft'
  | 'Reset'
  | 'Changed'
  | 'NewDevice'
  | 'Confirmed'
  | 'FactorAdded'
  | 'FactorRemoved'
  | 'PasswordRemoved'
  | 'IdentityLinked'
  | 'IdentityUnlinked'
  | 'Ended'
  | 'FactorAsked'
  | 'Suspended'
  | 'Restored'
  | 'RecoveryUsed'
  | 'CodesRenewed'
  | 'PasskeyCopied'
  | 'TokenCreated'
  | 'TokenRevoked'
  | 'EmailRequested'
  | 'EmailChanged'
  | 'EmailRestored'
  | 'DeletionRequested'
  | 'DeletionCancelled'
  | 'Deleted'
  | 'ExportRequested'
  | 'ExportReady'
  | 'ExportDownloaded'

/** The part of a request that an event reports. */
interface EventOrigin extends RequestOrigin {
  readonly method: string
  readonly route: string | null
}

type EventDetails = Pick<AuthEventPayload, 'user' | 'account' | 'method' | 'reason' | 'at'>

/** Emits an authentication event that happened during a request; `at` is in epoch seconds. */
export function emitAuthEvent(
  emitter: Emitter,
  authEvent: AuthEvent,
  request: EventOrigin,
  { user, account = null, method = null, reason = null, at }: EventDetails,
): void {
  if (!emitter.hasListeners(authEvent)) return
  const { peer, id } = request
  const agent = request.header('user-agent') ?? ''
  const origin = { peer, agent, route: routeLabel(request), request: id }
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

/** The part of a request that an entry records. */
interface RequestOrigin {
  readonly id: string
  readonly peer: string
  header(name: string): string | undefined
}

/** Where a request came from, as an entry takes it. */
export function entryOrigin(request: RequestOrigin): {
  readonly peer: string
  readonly agent: string
  readonly request: string
} {
  return { peer: request.peer, agent: request.header('user-agent') ?? '', request: request.id }
}
