import type { Emitter } from '../../events/emitter.ts'
import type { CredentialsOrigin } from '../credentials-options.ts'
import type { Credentials } from '../credentials.ts'
import type { AccountActivity } from '../activity/account-activity.ts'
import type { ApplicationKey } from '../../settings/keys/application-key.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import type { PasskeyTables } from './passkey-tables.ts'

/** Options of `Passkeys`. */
export interface PasskeysOptions extends Omit<SecretRowsOptions, 'table'> {
  /** Records the factor with the account and ends what it should. */
  readonly credentials: Pick<Credentials, 'changeFactor'>
  /** Authenticates the challenges. */
  readonly key: ApplicationKey
  /**
   * The public address of the site, `boot.server.url`. Its host name is the id that passkeys belong to:
   * with another one they are lost.
   */
  readonly url: string
  /** The name of the site in authenticators. */
  readonly title: string
  /**
   * Whether the password of an account with a passkey is not enough any more. Then somebody who loses
   * the passkey, and has no other factor, cannot sign in.
   * @default false
   */
  readonly isAsked?: boolean
  /**
   * How many passkeys an account can have.
   * @default 20
   */
  readonly maxPasskeys?: number
  /** Names other than those of `createPasskeyTables`. */
  readonly tables?: PasskeyTables
  /**
   * Receives `AuthEvents.PasskeyCopied`.
   * @default Emitter.Instance
   */
  readonly emitter?: Emitter
  /** Records refused copies. @default nothing is recorded */
  readonly activity?: AccountActivity | null
}

/** What a browser returned for a new passkey, and its name. */
export interface PasskeyRegistration {
  /** The JSON of the credential. */
  readonly credential: string
  /** What its owner calls it, up to 100 characters; a longer one is cut. */
  readonly name: string
  /** `session.digest` of the session that asked for the options. */
  readonly binding: string
}

/** What a passkey is asked for. */
export interface PasskeyRequest {
  /**
   * `enter` for the sign-in page, `sign-in` for the second step, `confirm` for somebody who is signed in.
   * The user has to be verified except at the second step.
   */
  readonly purpose: 'enter' | 'sign-in' | 'confirm'
  /** `session.digest`, or at the second step the `challenge` of the pending sign-in. */
  readonly binding: string
  /** Id of the account; not for `enter`. */
  readonly user?: string
}

/** What a browser returned for a passkey that signs in. */
export interface PasskeyEntry extends CredentialsOrigin {
  /** The JSON of the credential. */
  readonly credential: string
  /** `session.digest` of the session that asked for the options. */
  readonly binding: string
}

/** The account of an accepted passkey. */
export interface PasskeyOwner {
  /** Id of the account. */
  readonly user: string
  /** Of the passkey. */
  readonly handle: string
}
