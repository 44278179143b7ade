import type { Throwables } from '../../errors/throwables/throwables.ts'
import type { Surface, Transaction } from '../../database/surface.ts'
import type { Emitter } from '../../events/emitter.ts'
import type { AccountActivity } from '../account-activity.ts'
import type { AuthEventName } from '../auth-events.ts'
import type { RedeemOptions, TokensOptions } from '../tokens/tokens.ts'
import type { TrustOptions } from '../devices/trust.ts'
import type { Identity } from '../identity.ts'
import type { UsersOptions } from '../users.ts'

/** Options of `Credentials`. */
export interface CredentialsOptions {
  /**
   * Creates the session store. One in the same database must use the given surface, which makes it
   * part of the transaction: `(surface) => new SqlSessions(surface)`. Any other can return the same
   * instance.
   */
  readonly sessions: (surface: Surface) => SessionEnder
  readonly users?: UsersOptions
  readonly tokens?: TokensOptions
  readonly trust?: TrustOptions
  /** Records each change, in its transaction. @default nothing is recorded */
  readonly activity?: AccountActivity | null
  /**
   * Deletes what else somebody may have left in an account before its owner has proven the address by a
   * reset or by `proveMailbox`. Not needed for what only accounts with a proven address can have: see
   * `Verified`.
   */
  readonly onClaim?: (transaction: Transaction, user: string) => Promise<unknown>
  /** Emits the events of these changes. */
  readonly emitter?: Emitter
  /** Reports failures that happen after the commit. */
  readonly throwables?: Throwables
  /** Epoch seconds, for the events. */
  readonly clock?: () => number
}

/** Ends sessions by account. Every session store implements it. */
export interface SessionEnder {
  /**
   * Ends all sessions of an identity except the one with that digest; resolves with their number.
   */
  destroyOf(identity: string, exceptDigest: string | null): Promise<number>
  /** Ends the sessions that a device of an identity has begun or revived. */
  destroyDevice(identity: string, device: string): Promise<number>
  /** Ends the session with this digest; resolves with whether there was one. */
  destroy(digest: string): Promise<boolean>
  /**
   * Whether an identity is signed in with the session that has this digest: it has neither ended nor does it
   * wait for a factor. In a transaction it cannot end before that does.
   */
  isLive(identity: string, digest: string): Promise<boolean>
}

/** The request that changes something, for the events. */
export interface CredentialsOrigin {
  /** Address of the client. Its network also decides whose turn it is to be hashed. */
  readonly peer?: string
  /** Its user agent. */
  readonly agent?: string
  /** Id of the request. */
  readonly request?: string | null
  /** Method and pattern of its route, such as `POST /password`. */
  readonly route?: string | null
  /** Who did it, if not the account itself: `operator` for a command. */
  readonly actor?: string
}

/** Who asks for a change of an account. */
export interface ChangeOptions extends CredentialsOrigin {
  /**
   * `session.digest` of the session that asks. It is kept where others end, and if it has ended in the
   * meantime nothing is changed. Null if no session asks: for a command, or a link in a mail.
   */
  readonly keep: string | null
}

/** Options of `Credentials.endOthers` and `Credentials.changeFactor`. */
export interface EndOthersOptions extends ChangeOptions {
  /** Handle of the device to keep, as stored in the session under `device`; null for none. */
  readonly device: string | null
}

/** How many places `Credentials.endOthers` has signed out. */
export interface EndedSessions {
  readonly sessions: number
  readonly devices: number
}

/**
 * What became of a factor. `added`: the account has it now, `removed`: it has it no more; sessions and
 * devices that it did not protect end. `another`: it has one more, such as a passkey, which is told and
 * ends nothing. `fewer`: one of several is gone, which is told and ends sessions and devices, since
 * whoever has it may be signed in. `kept`: nothing that matters has changed.
 */
export type FactorChange = 'added' | 'another' | 'removed' | 'fewer' | 'kept'

/** Stores or deletes what belongs to a factor; null changes nothing. The `subject` says which one was added. */
export type FactorWork = (
  transaction: Transaction,
) => Promise<FactorChange | { readonly change: FactorChange; readonly subject: string } | null>

/** Options of `Credentials.changeEmail`. */
export interface ChangeEmailOptions extends EndOthersOptions {
  /**
   * `restored` if the owner takes a former e-mail back: then the password is void too, since whoever has
   * changed the e-mail is likely to know it. @default 'changed'
   */
  readonly as?: 'changed' | 'restored'
}

/**
 * Work of a change, in its transaction, which nobody else can change the account in. If it resolves with
 * null, nothing is changed.
 */
export type AccountWork<T> = (
  transaction: Transaction,
  account: Identity,
  tell: TellEvent,
) => Promise<T | null>

/**
 * Records an event in the transaction of a change, and emits it once that is committed. The `method` says how
 * it was done; the `subject` says what was added, to listeners only.
 */
export type TellEvent = (
  event: AuthEventName,
  method?: string | null,
  subject?: string,
) => Promise<void>

/** An account whose owner has proven to read its mails. */
export interface ProvenAccount {
  readonly identity: Identity
  /** Whether the e-mail was not proven before: then the password and everything else has ended. */
  readonly isClaimed: boolean
}

/** Options of `Credentials.verifyEmail`. */
export interface VerifyEmailOptions extends CredentialsOrigin, RedeemOptions {
  /** Id of the account that is signed in where the link was opened. @default nobody is */
  readonly by?: string | null
}
