import type { Encrypter } from '../../base/crypto/encrypter.ts'
import { toBase32 } from '../../base/encoding/base32.ts'
import { invalidArgument } from '../../base/errors.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import type { Database, Surface, Transaction } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { ApplicationKey } from '../../settings/application-key.ts'
import type { Schema } from '../../migrations/schema.ts'
import type {
  AccountWork,
  ChangeOptions,
  EndOthersOptions,
  FactorWork,
} from '../changes/credentials-options.ts'
import type { Credentials } from '../changes/credentials.ts'
import type { Identity } from '../identity.ts'
import { SessionEnded } from '../session-ended.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import type { Undoable } from '../changes/account-undo.ts'
import type { RevocableFactor } from '../changes/revoke-factors.ts'
import type { Factor, FactorAttempt } from './factor.ts'
import { readOneTimeCode } from './one-time-code.ts'
import { readRecoveryCode, RecoveryCodes } from './recovery-codes.ts'
import { TotpSecrets } from './totp-secrets.ts'

/** Options of `AuthenticatorApp`. */
export interface AuthenticatorAppOptions extends SecretRowsOptions {
  /** Records the factor with the account and ends what it did not protect. */
  readonly credentials: Pick<Credentials, 'changeFactor' | 'hold'>
  /** Encrypts the secrets. */
  readonly key: ApplicationKey
  /** The name of the site in authenticator apps. */
  readonly issuer: string
}

/** A secret that waits for its first code. */
export interface AuthenticatorSetup {
  /** In base32, to be typed into an app. */
  readonly secret: string
  /** The same for apps that scan it: see `qrSvg`. */
  readonly uri: string
}

/** An authenticator app that is on. */
export interface AuthenticatorStatus {
  /** When it was turned on, in epoch seconds. */
  readonly since: number
  /** How many recovery codes are left. */
  readonly codes: number
}

/**
 * The factor `totp`: codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds), and ten
 * recovery codes for the day the app is lost. Each code is accepted once. Limit how often codes may be
 * tried, with an `AccountLimit`: a code is one of a million.
 */
export class AuthenticatorApp implements Factor, RevocableFactor, Undoable {
  readonly name: string = 'totp'
  readonly #database: Database
  readonly #encrypter: Encrypter
  readonly #options: AuthenticatorAppOptions

  /** @throws InvalidArgumentException for an empty issuer: apps could not tell accounts apart. */
  constructor(database: Database, options: AuthenticatorAppOptions) {
    checkIssuer(options.issuer)
    this.#database = database
    this.#encrypter = options.key.encrypter('totp secrets')
    this.#options = options
  }

  /**
   * Creates a secret for an account, instead of an earlier one without a code. It counts once `enable`
   * was called with a code; an app that is on stays on until then.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async begin(
    account: Pick<Identity, 'id' | 'email'>,
    options: ChangeOptions,
  ): Promise<AuthenticatorSetup> {
    const secret = await this.#options.credentials.hold(account.id, options, (transaction) =>
      this.#secrets(transaction).add(account.id),
    )
    // The account was deleted, and its sessions with it.
    if (secret === null) throw new SessionEnded()
    return this.#setup(account, secret)
  }

  /**
   * The secret that waits for its first code; null if there is none, or it is older than an hour.
   * @throws DatabaseError
   */
  async pending(account: Pick<Identity, 'id' | 'email'>): Promise<AuthenticatorSetup | null> {
    const secret = await this.#secrets().pending(account.id)
    return secret === null ? null : this.#setup(account, secret)
  }

  /**
   * Forgets the secret that waits for its first code; an app that is on stays on. False if the session that
   * asks has ended.
   * @throws DatabaseError
   */
  cancel(user: string, options: EndOthersOptions): Promise<boolean> {
    return this.#change(user, options, async (transaction) => {
      await this.#secrets(transaction).dropOf(user, sql`state = 'pending'`)
      return 'kept'
    })
  }

  /**
   * Turns the app on with its first code, and resolves with the recovery codes, which can be shown only
   * now. Null if the code is wrong. Ends the other sessions and devices of the account.
   * @throws DatabaseError
   */
  async enable(
    user: string,
    code: string,
    options: EndOthersOptions,
  ): Promise<readonly string[] | null> {
    const digits = readOneTimeCode(code)
    if (digits === null) return null
    let codes: readonly string[] = []
    const isChanged = await this.#change(user, options, async (transaction) => {
      const since = await this.#secrets(transaction).confirm(user, digits)
      if (since === null) return null
      codes = await this.#codes(transaction).replace(user)
      return { change: 'added', subject: String(since) }
    })
    return isChanged ? codes : null
  }

  /**
   * Turns the app off and deletes its recovery codes; false if it was not on. Ends the other sessions
   * and devices of the account.
   * @throws DatabaseError
   */
  disable(user: string, options: EndOthersOptions): Promise<boolean> {
    return this.#change(user, options, async (transaction) => {
      // First, since it waits for a renewal of the codes, which would outlive the app.
      const wasOn = await this.#secrets(transaction).dropOf(user)
      await this.#codes(transaction).dropOf(user)
      return wasOn ? 'removed' : null
    })
  }

  /**
   * Deletes an app and recovery codes that came at this time or later, see `RevocableFactor`. An older app
   * stays: it is the owner's, and whoever has the former mailbox must not get past it.
   * @throws DatabaseError
   */
  async revoke(user: string, since: number, transaction: Transaction): Promise<boolean> {
    const wasOn = await this.#secrets(transaction).dropOf(user, sql`created_at >= ${since}`)
    await this.#codes(transaction).dropOf(user, wasOn ? 0 : since)
    return wasOn
  }

  /**
   * Takes away the app that was turned on at the time `subject`, see `Undoable`; another one stays.
   * @throws DatabaseError
   */
  async undo(transaction: Transaction, user: string, subject: string): Promise<string | null> {
    const isThis = sql`state = 'on' AND created_at = ${Number(subject)}`
    if (!(await this.#secrets(transaction).dropOf(user, isThis))) return null
    await this.#codes(transaction).dropOf(user)
    return this.name
  }

  /**
   * Creates ten recovery codes instead of the earlier ones; null if the app is not on.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  renewCodes(user: string, options: ChangeOptions): Promise<readonly string[] | null> {
    return this.#options.credentials.hold(user, options, async (transaction, _account, tell) => {
      if ((await this.#secrets(transaction).since(user)) === null) return null
      await tell('CodesRenewed', this.name)
      return this.#codes(transaction).replace(user)
    })
  }

  /**
   * The app of an account; null if none is on.
   * @throws DatabaseError
   */
  async status(user: string): Promise<AuthenticatorStatus | null> {
    const since = await this.#secrets().since(user)
    return since === null ? null : { since, codes: await this.#codes().count(user) }
  }

  async isEnrolled(user: string): Promise<boolean> {
    return (await this.#secrets().since(user)) !== null
  }

  /** Accepts the field `code` once: a code of the app, or a recovery code. */
  async verify({ user, fields, ...attempt }: FactorAttempt): Promise<boolean> {
    const { code = '' } = fields
    const digits = readOneTimeCode(code)
    if (digits !== null) return this.#secrets().spend(user, digits)
    const recovery = readRecoveryCode(code)
    return recovery !== null && this.#spendRecovery(user, recovery, attempt)
  }

  /** Deletes the secrets whose first code never came; resolves with their number. */
  sweep(): Promise<number> {
    return this.#secrets().sweepExpired()
  }

  // A failing database accepts nothing, and is reported.
  async #spendRecovery(
    user: string,
    digits: string,
    { peer, agent = '', request = null }: Pick<FactorAttempt, 'peer' | 'agent' | 'request'>,
  ): Promise<boolean> {
    const options = { keep: null, peer, agent, request }
    try {
      const work: AccountWork<true> = async (transaction, _account, tell) => {
        if (!(await this.#codes(transaction).spend(user, digits))) return null
        await tell('RecoveryUsed', this.name)
        return true
      }
      return (await this.#options.credentials.hold(user, options, work)) === true
    } catch (error) {
      const { throwables = Throwables } = this.#options
      throwables.notify(error)
      return false
    }
  }

  #change(user: string, options: EndOthersOptions, work: FactorWork): Promise<boolean> {
    return this.#options.credentials.changeFactor(user, this.name, work, options)
  }

  #setup({ email }: Pick<Identity, 'email'>, bytes: Buffer): AuthenticatorSetup {
    const secret = toBase32(bytes)
    return { secret, uri: otpauthUri({ issuer: this.#options.issuer, account: email, secret }) }
  }

  #secrets(surface: Surface = this.#database): TotpSecrets {
    return new TotpSecrets(surface, this.#encrypter, this.#options)
  }

  #codes(surface: Surface = this.#database): RecoveryCodes {
    return new RecoveryCodes(surface, this.#options)
  }
}

function checkIssuer(issuer: string): void {
  if (issuer.trim() !== '') return
  throw invalidArgument(
    'AuthenticatorApp needs an issuer, the name of the site that apps show beside the account',
  )
}

/**
 * The URI that authenticator apps read from a QR code. It leaves out algorithm, digits and period:
 * apps assume SHA-1, six and 30 seconds, some whatever it says, and a short URI is easier to scan.
 * The secret is in base32; an app shows the issuer and the account beside its codes.
 */
export function otpauthUri({
  issuer,
  account,
  secret,
}: Readonly<Record<'issuer' | 'account' | 'secret', string>>): string {
  // A colon separates issuer and account, and some apps look for it after decoding.
  const [site, name] = [issuer, account].map((part) =>
    encodeURIComponent(part.replaceAll(':', ' ')),
  )
  return `otpauth://totp/${site}:${name}?secret=${secret}&issuer=${site}`
}

/**
 * Creates the tables for `AuthenticatorApp`, in a migration: `await createAuthenticatorTables(schema)`. Its `down`
 * drops `recovery_codes` and `totp_secrets`.
 */
export async function createAuthenticatorTables(schema: Schema): Promise<void> {
  await schema.createTable('totp_secrets', (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    // A secret that waits for its first code can replace one that is on.
    table.text('state', { length: 8 })
    table.bytes('secret', { length: 255 })
    // The time step of the last accepted code: that code and earlier ones are refused.
    table.bigint('step')
    // NULL for a secret that is on, which does not expire.
    table.bigint('expires').nullable()
    table.bigint('created_at')
    table.unique(['user_id', 'state'])
    table.index(['expires'])
  })
  await schema.createTable('recovery_codes', (table) => {
    table.key()
    table.text('user_id', { length: 255 })
    table.char('digest', 64)
    table.bigint('created_at')
    table.unique(['user_id', 'digest'])
  })
}
