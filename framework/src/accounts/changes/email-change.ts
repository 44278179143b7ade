import { hash, randomBytes } from 'node:crypto'
import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import type { Database, Surface, Transaction } from '../../database/surface.ts'
import type { Emitter } from '../../events/emitter.ts'
import { credentialsVersion } from '../identity.ts'
import { ChangeJournal } from './change-journal.ts'
import type {
  AccountWork,
  ChangeOptions,
  CredentialsOrigin,
  EndOthersOptions,
} from './credentials-options.ts'
import type { Credentials } from './credentials.ts'
import { isEmailAddress, normalEmail } from '../email-address.ts'
import type { Users } from '../users.ts'
import type { AccountActivity } from '../account-activity.ts'
import type { RunChange } from './change-journal.ts'
import type { DeleteStep } from './account-deletion.ts'
import type { RevocableFactor } from './revoke-factors.ts'
import { revokeFactors } from './revoke-factors.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import type { Token } from '../tokens/token.ts'
import { EmailChangeRows } from './email-change-rows.ts'

/** Options of `EmailChange`. Times are seconds. */
export interface EmailChangeOptions extends SecretRowsOptions {
  readonly credentials: Pick<Credentials, 'changeEmail' | 'hold'>
  readonly users: Pick<Users, 'fetch' | 'find' | 'isReserved' | 'within'>
  /** How long the link to the new address works. @default 3600 */
  readonly ttl?: number
  /** How long the link to the former address works. @default 259200, 72 hours */
  readonly undoTtl?: number
  /**
   * What else ends when the former address is taken back, in the same transaction: what a thief may have
   * left behind, such as API tokens. @default []
   */
  readonly undoes?: readonly DeleteStep[]
  /**
   * Factors that a thief may have added: they lose what was added since the change, or shortly before it,
   * within `undoTtl`. @default []
   */
  readonly factors?: readonly RevocableFactor[]
  /** Records requests, in their transaction. @default nothing is recorded */
  readonly activity?: AccountActivity | null
  /** Receives `AuthEvents.EmailRequested`. @default Emitter.Instance */
  readonly emitter?: Emitter
}

/** A requested change of e-mail. */
export interface RequestedEmail {
  /** For the link to the new address. */
  readonly token: Token
  /** What the session that asked has to keep: the link works only there. */
  readonly binding: string
  /** The new address, normalized. */
  readonly email: string
  /**
   * Whether it belongs to another account. Then its owner is told instead, and nobody gets the link; the
   * response stays the same.
   */
  readonly isTaken: boolean
}

/** Who opens a link. */
export interface EmailChangeBrowser {
  /** Id of the signed-in account; null for a guest. */
  readonly user: string | null
  /** What the session has kept; anything else for one that did not ask. */
  readonly binding: unknown
}

/** Options of `EmailChange.complete`. */
export interface CompleteEmailOptions extends EndOthersOptions {
  readonly binding: unknown
}

/** A change of e-mail that was made. */
export interface ChangedEmail {
  /** The new address. */
  readonly email: string
  /** The former one, which gets the link that restores it. */
  readonly former: string
  /**
   * Null if the former address was never verified: it may be a typing error, and whoever reads the mails
   * there must not get the account.
   */
  readonly undo: Token | null
}

/**
 * Changes the e-mail of accounts. The link to the new address works once, and only in the session that
 * asked; the former address gets a link with which its owner takes it back, whoever has the account by
 * then. Until that link expires nobody else can have the former address: `new Users(…, { emailChanges:
 * 'email_changes' })` sees to it. A failing database rejects with its DatabaseError.
 */
export class EmailChange {
  readonly #database: Database
  readonly #options: EmailChangeOptions
  readonly #journal: ChangeJournal
  readonly #ttl: number
  readonly #undoTtl: number

  constructor(database: Database, options: EmailChangeOptions) {
    this.#database = database
    this.#options = options
    this.#journal = new ChangeJournal(options)
    this.#ttl = options.ttl ?? 3600
    this.#undoTtl = options.undoTtl ?? 259_200
  }

  /**
   * Prepares a change, instead of an earlier one that waits. Whether or not the address is taken, it costs
   * the same. Null if there is no such account, or if the address is its own.
   * @throws InvalidArgumentException for a text that is no address, DatabaseError; FrameworkError
   * E_SESSION_ENDED.
   */
  async request(
    user: string,
    email: string,
    options: ChangeOptions,
  ): Promise<RequestedEmail | null> {
    const { credentials, users } = this.#options
    const wanted = isEmailAddress(email) ? normalEmail(email) : null
    if (wanted === null) throw notAnAddress()
    const account = await users.find(user)
    const version = account === null ? null : credentialsVersion(account)
    if (account === null || version === null || account.email === wanted) return null
    const [owner, isReserved] = [await users.fetch(wanted), await users.isReserved(wanted, user)]
    const binding = randomBytes(32).toString('hex')
    const entry = { user, event: 'EmailRequested', ...options } as const
    const run: RunChange = (work) => credentials.hold(user, options, work)
    const token = await this.#journal.change(run, entry, async (surface) => {
      const rows = this.#rows(surface)
      await rows.dropPending(user)
      const secrets = { binding: digestOf(binding), version }
      return rows.add({ user, kind: 'pending', email: wanted, ...secrets, ttl: this.#ttl })
    })
    const isTaken = owner !== null || isReserved
    return token === null ? null : { token, binding, email: wanted, isTaken }
  }

  /**
   * What a link would do: the new address, or `elsewhere` if it has to be opened in the session that asked.
   * Null for an invalid link. Nothing is used up.
   * @throws DatabaseError
   */
  async find(
    token: string,
    { user, binding }: EmailChangeBrowser,
  ): Promise<{ readonly email: string } | 'elsewhere' | null> {
    const row = await this.#rows().find(token, 'pending')
    if (row === null) return null
    const isHere = row.user === user && row.binding === digestOf(binding)
    return isHere ? { email: row.email } : 'elsewhere'
  }

  /**
   * Makes the change: ends the other sessions and devices of the account and every link in its mails. Of
   * concurrent calls one wins. Null if the link is not valid in this session, or if the password has
   * changed since; `taken` if another account has got the address in the meantime.
   * @throws DatabaseError
   */
  async complete(
    token: string,
    user: string,
    { binding, ...options }: CompleteEmailOptions,
  ): Promise<ChangedEmail | 'taken' | null> {
    let made: ChangedEmail | null = null
    const work: AccountWork<string> = async (transaction, account) => {
      const rows = this.#rows(transaction)
      const row = await rows.find(token, 'pending')
      if (row === null || row.user !== user || row.binding !== digestOf(binding)) return null
      if (row.version !== credentialsVersion(account)) return null
      if (!(await rows.spend(row, 'pending'))) return null
      await rows.dropPending(user)
      const { email: former, verified } = account
      const link = { user, kind: 'undo', email: former, ttl: this.#undoTtl } as const
      const undo = verified ? await rows.add(link) : null
      made = { email: row.email, former, undo }
      return row.email
    }
    const outcome = await this.#options.credentials.changeEmail(user, work, options)
    return outcome === 'changed' ? made : outcome
  }

  /**
   * The address that a link to a former mailbox would restore; null for an invalid link. Nothing is used up.
   * @throws DatabaseError
   */
  async findUndo(token: string): Promise<{ readonly email: string } | null> {
    const row = await this.#rows().find(token, 'undo')
    return row === null ? null : { email: row.email }
  }

  /**
   * Restores a former address, whatever the address is by now, and ends all sessions, devices and links of
   * the account; its password is void until a reset sets a new one. Changes that were made after the one
   * that is undone can no longer be undone; earlier ones can. Null for an invalid link; `taken` if another
   * account has the address.
   * @throws DatabaseError
   */
  async undo(
    token: string,
    origin: CredentialsOrigin = {},
  ): Promise<{ readonly user: string; readonly email: string } | 'taken' | null> {
    const found = await this.#rows().find(token, 'undo')
    if (found === null) return null
    const { user, email } = found
    const { credentials, factors = [], undoes = [], users } = this.#options
    const revoker = { factors, users, journal: this.#journal }
    let lost: readonly string[] = []
    const work = async (transaction: Transaction): Promise<string | null> => {
      const rows = this.#rows(transaction)
      if (!(await rows.spend(found, 'undo'))) return null
      await rows.dropPending(user)
      // The links of later changes went to mailboxes that this one proves to be somebody else's.
      await rows.dropLater(found)
      for (const end of undoes) await end(transaction, user)
      // A thief may have added one first, so that the owner could not sign in again.
      const since = found.created - this.#undoTtl
      lost = await revokeFactors(transaction, revoker, { user, since }, origin)
      return email
    }
    const options = { keep: null, device: null, as: 'restored', ...origin } as const
    const outcome = await credentials.changeEmail(user, work, options)
    if (outcome !== 'changed') return outcome
    for (const name of lost) this.#journal.emit('FactorRemoved', user, origin, name)
    return { user, email }
  }

  /** Deletes expired links and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows().sweep()
  }

  #rows(surface: Surface = this.#database): EmailChangeRows {
    return new EmailChangeRows(surface, this.#options)
  }
}

/** Only the digest is stored: a stolen table does not say which session may open a link. */
function digestOf(binding: unknown): string {
  return hash('sha256', typeof binding === 'string' ? binding : '', 'hex')
}

function notAnAddress(): InvalidArgumentException {
  return invalidArgument(
    'the new e-mail is not an address that mail can be sent to; check it with isEmailAddress()',
  )
}
