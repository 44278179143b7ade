import { event } from '../../../services/events/event.ts'
import type { Event } from '../../../services/events/event.ts'

/**
 * What happened to an account, from where and when. It holds no secret, and of what a guest has typed
 * nothing, an e-mail least of all.
 */
export interface AuthIncident {
  /** Id of the account; null where none is known, as when a sign-in fails. */
  readonly user: string | null
  /** Address that the request came from. */
  readonly peer: string
  /**
   * The browser, as it named itself, for mails to the owner. `AuthAudit` keeps it out of the log, since
   * it is whatever a guest says.
   */
  readonly agent?: string
  /** Id of the request; null outside of one. */
  readonly request: string | null
  /** Epoch seconds. */
  readonly at: number
}

/** An event of authentication: its listeners receive one incident. */
export type AuthEvent = Event<[incident: AuthIncident]>

const incidents = (name: string): AuthEvent => event<[incident: AuthIncident]>(name)

/** Every event of authentication. */
export const AuthEvents: Readonly<Record<AuthEventName, AuthEvent>> = Object.freeze({
  /** An account was made. */
  Registered: incidents('auth.registered'),
  /** The owner of an account has shown that its e-mail is theirs. */
  Verified: incidents('auth.verified'),
  /** Somebody signed in with a password. */
  Login: incidents('auth.login'),
  /** A sign-in, or a check of the current password, was refused. */
  Failed: incidents('auth.failed'),
  /** Somebody signed out. */
  Logout: incidents('auth.logout'),
  /** A trusted device signed in again by its cookie. */
  Revived: incidents('auth.revived'),
  /** A used-up device token came back: every device and session of the account was ended. */
  Theft: incidents('auth.theft'),
  /** A password was set anew through a link in a mail. */
  Reset: incidents('auth.reset'),
  /** A password was changed by somebody who knew the old one. */
  Changed: incidents('auth.changed'),
})

/** The names of the events of authentication. */
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
