import type { Emitter } from '../../../services/events/emitter.ts'
import { event } from '../../../services/events/event.ts'
import type { Event } from '../../../services/events/event.ts'

/**
 * What happened to an account, from where and when. It holds no secret, and of what a guest has typed
 * nothing, an e-mail least of all.
 */
export interface AuthEventPayload {
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

/** An event of authentication: its listeners receive one payload. */
export type AuthEvent = Event<[payload: AuthEventPayload]>

const declare = (name: string): AuthEvent => event<[payload: AuthEventPayload]>(name)

/** Every event of authentication. */
export const AuthEvents: Readonly<Record<AuthEventName, AuthEvent>> = Object.freeze({
  /** An account was made. */
  Registered: declare('auth.registered'),
  /** The owner of an account has shown that its e-mail is theirs. */
  Verified: declare('auth.verified'),
  /** Somebody signed in with a password. */
  Login: declare('auth.login'),
  /** A sign-in, or a check of the current password, was refused. */
  Failed: declare('auth.failed'),
  /** Somebody signed out. */
  Logout: declare('auth.logout'),
  /** A trusted device signed in again by its cookie. */
  Revived: declare('auth.revived'),
  /** A used-up device token came back: every device and session of the account was ended. */
  Theft: declare('auth.theft'),
  /** A password was set anew through a link in a mail. */
  Reset: declare('auth.reset'),
  /** A password was changed by somebody who knew the old one. */
  Changed: declare('auth.changed'),
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

/** What an event tells of the request that it happened in. Every `Request` is one. */
interface EventOrigin {
  readonly id: string
  readonly peer: string
  header(name: string): string | undefined
}

/** Tells those who listen what happened to an account in a request; `at` is epoch seconds. */
export function emitAuthEvent(
  emitter: Emitter,
  told: AuthEvent,
  request: EventOrigin,
  { user, at }: Pick<AuthEventPayload, 'user' | 'at'>,
): void {
  if (!emitter.hasListeners(told)) return
  const { peer, id } = request
  const agent = request.header('user-agent') ?? ''
  emitter.emit(told, Object.freeze({ user, peer, agent, request: id, at: Math.floor(at) }))
}
