import { createHmac } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { invalidArgument } from '../../base/errors.ts'
import { loadOptional } from '../../base/load-optional.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import type { Database, Surface, Transaction } from '../../database/surface.ts'
import { DatabaseError, nullIfDuplicate } from '../../database/database-error.ts'
import { committedTransaction } from '../../database/transaction-options.ts'
import type { ApplicationKey } from '../../settings/application-key.ts'
import type {
  EndOthersOptions,
  CredentialsOrigin,
  FactorWork,
} from '../changes/credentials-options.ts'
import type { Credentials } from '../changes/credentials.ts'
import type { Identity } from '../identity.ts'
import type { Factor, FactorAttempt } from '../factors/factor.ts'
import type { RevocableFactor } from '../changes/revoke-factors.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { checkedUser } from '../tokens/token.ts'
import type { Undoable } from '../changes/account-undo.ts'
import { PasskeyChallenges, verifiesUser } from './passkey-challenges.ts'
import type { ChallengePurpose } from './passkey-challenges.ts'
import { PasskeyRows } from './passkey-rows.ts'
import type { StoredPasskey, Passkey } from './passkey-rows.ts'
import { readAssertion, readNewCredential } from './read-credential.ts'
import { relyingParty, creationOptions, requestOptions } from './webauthn-options.ts'
import type { RelyingParty, PasskeyOptions } from './webauthn-options.ts'
import type * as Webauthn from './webauthn.ts'

/** Options of `Passkeys`. */
export interface PasskeysOptions extends SecretRowsOptions {
  /** Records the factor with the account and ends what it should. */
  readonly credentials: Pick<Credentials, 'changeFactor' | 'hold'>
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
  /** How many passkeys an account can have. @default 20 */
  readonly maxPasskeys?: number
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
interface PasskeyRequest {
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
interface PasskeyEntry extends CredentialsOrigin {
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

/** What a proof has to be for. */
interface ExpectedProof extends CredentialsOrigin {
  readonly purpose: ChallengePurpose
  readonly binding: string
  /** The account; null if the passkey says which. */
  readonly user: string | null
}

/** A valid assertion for a challenge that was not used up yet. */
interface Proven {
  readonly passkey: StoredPasskey
  readonly challenge: string
  readonly checked: Webauthn.CheckedAssertion
}

const maxNameLength = 100
const defaultMaxPasskeys = 20

/**
 * The passkeys of accounts (WebAuthn), checked by the package `@simplewebauthn/server`: a way in that
 * replaces the password, and the factor `passkey` for the second step and to confirm. They belong to the
 * host name of the site. A challenge can be used once, within five minutes, and only in the session
 * that it was made for.
 */
export class Passkeys implements Factor, RevocableFactor, Undoable {
  readonly name: string = 'passkey'
  readonly isAsked: boolean
  /** Whether browsers allow passkeys at the address of the site: it has a name, and TLS or is local. */
  readonly isUsable: boolean
  readonly #database: Database
  readonly #site: RelyingParty
  readonly #challengeKey: KeyObject
  readonly #handleKey: KeyObject
  readonly #maxPasskeys: number
  readonly #options: PasskeysOptions

  /** @throws InvalidArgumentException for an empty title, or a maximum below 1. */
  constructor(database: Database, options: PasskeysOptions) {
    const { key, url, title, isAsked = false } = options
    const { maxPasskeys = defaultMaxPasskeys } = options
    checkOptions(title, maxPasskeys)
    this.isAsked = isAsked
    this.#database = database
    this.#site = relyingParty(url, title)
    this.isUsable = this.#site.isUsable
    this.#challengeKey = key.derive('passkey challenges')
    this.#handleKey = key.derive('passkey user handles')
    this.#maxPasskeys = maxPasskeys
    this.#options = options
  }

  /**
   * The options with which a browser makes a passkey, as JSON; null if the account has as many as it can
   * have. `binding` is `session.digest`.
   * @throws DatabaseError
   */
  async creationOptions(
    { id, email: name }: Pick<Identity, 'id' | 'email'>,
    binding: string,
  ): Promise<PasskeyOptions | null> {
    const known = await this.#rows().list(checkedUser(id))
    if (known.length >= this.#maxPasskeys) return null
    const handle = this.#userHandle(id, known)
    const challenge = this.#challenges().issue('register', ownBinding(binding, id, handle))
    return creationOptions(this.#site, challenge, { handle, name }, known)
  }

  /**
   * Adds the passkey that a browser has made; null if it is refused. Nothing else ends, except with
   * `isAsked`: then the first one ends the other sessions and devices of the account.
   * @throws ConfigurationError if the package is not installed, DatabaseError.
   */
  async register(
    user: string,
    { credential: text, name, binding }: PasskeyRegistration,
    options: EndOthersOptions,
  ): Promise<Passkey | null> {
    const credential = readNewCredential(text)
    if (credential === null) return null
    const { transports, client } = credential
    const userHandle = this.#userHandle(user, await this.#rows().list(checkedUser(user)))
    const own = ownBinding(binding, user, userHandle)
    if (!this.#challenges().isValid(client.challenge, 'register', own)) return null
    const { checkCredential } = await loadWebauthn()
    const checked = await checkCredential(credential, this.#site)
    if (checked === null) return null
    const row = { user, userHandle, name: shortName(name), transports, credential: checked }
    let added: Passkey | null = null
    const adding = this.#change(user, options, async (transaction) => {
      const rows = this.#rows(transaction)
      const count = await rows.count(user)
      if (count >= this.#maxPasskeys) return null
      await this.#challenges(transaction).spend(client.challenge)
      added = await rows.insert(row)
      const change = this.isAsked && count === 0 ? 'added' : 'another'
      return { change, subject: added.handle }
    })
    return (await adding.catch(nullIfDuplicate)) === true ? added : null
  }

  /**
   * The options with which a browser uses a passkey, as JSON: to sign in, for the second step of a
   * sign-in, or to confirm. Who signs in is not known yet; otherwise `user` has to be given.
   * @throws DatabaseError
   */
  async requestOptions({ purpose, binding, user }: PasskeyRequest): Promise<PasskeyOptions> {
    const known = user === undefined ? [] : await this.#rows().list(user)
    const challenge = this.#challenges().issue(purpose, binding)
    const mustVerify = verifiesUser(purpose)
    return requestOptions(this.#site, challenge, { mustVerify, known })
  }

  /**
   * The account that signs in with a passkey, which must have verified its user; null if it is refused.
   * `PasskeySignIn` calls this.
   * @throws ConfigurationError if the package is not installed.
   */
  identify({ credential, ...entry }: PasskeyEntry): Promise<PasskeyOwner | null> {
    return this.#prove(credential, { purpose: 'enter', user: null, ...entry })
  }

  /** Accepts the field `credential` once: what the browser returned for a passkey of the account. */
  async verify({ fields: { credential = '' }, ...expected }: FactorAttempt): Promise<boolean> {
    return (await this.#prove(credential, expected)) !== null
  }

  /** Pass a transaction as the surface to ask inside it. */
  async isEnrolled(user: string, surface: Surface = this.#database): Promise<boolean> {
    return (await this.#rows(surface).count(user)) > 0
  }

  /**
   * The passkeys of an account, oldest first.
   * @throws DatabaseError, since an empty list would mean that there are none.
   */
  async list(user: string): Promise<readonly Passkey[]> {
    const passkeys = await this.#rows().list(user)
    return passkeys.map(({ handle, name, verifies, synced, created, used }) => {
      return Object.freeze({ handle, name, verifies, synced, created, used })
    })
  }

  /**
   * Whether an account still has a passkey.
   * @throws DatabaseError
   */
  has({ user, handle }: PasskeyOwner): Promise<boolean> {
    return this.#rows().has(user, handle)
  }

  /**
   * Gives a passkey of an account another name, of at most 100 characters; false if it has no such passkey.
   * Nothing ends, and nobody is told.
   * @throws DatabaseError
   */
  rename(user: string, handle: string, name: string, options: EndOthersOptions): Promise<boolean> {
    return this.#change(user, options, async (transaction) =>
      (await this.#rows(transaction).rename(user, handle, shortName(name))) ? 'kept' : null,
    )
  }

  /**
   * Removes a passkey of an account; false if it has no such passkey. Ends the other sessions and devices
   * of the account: whoever has the passkey may be signed in.
   * @throws DatabaseError
   */
  remove(user: string, handle: string, options: EndOthersOptions): Promise<boolean> {
    return this.#change(user, options, async (transaction) => {
      const rows = this.#rows(transaction)
      if (!(await rows.dropOne(user, handle))) return null
      return (await rows.count(user)) === 0 ? 'removed' : 'fewer'
    })
  }

  /**
   * Removes all passkeys of an account; false if it has none. Ends its other sessions and devices.
   * @throws DatabaseError
   */
  disable(user: string, options: EndOthersOptions): Promise<boolean> {
    return this.#change(user, options, async (transaction) => {
      return (await this.#rows(transaction).dropOf(user)) === 0 ? null : 'removed'
    })
  }

  /**
   * Deletes all passkeys of an account whose owner takes it back, see `RevocableFactor`: like the password,
   * each of them signs in alone, however old it is. With `isAsked` older ones stay, as an older app does:
   * whoever has only the mailbox must not get past them.
   * @throws DatabaseError
   */
  async revoke(user: string, since: number, transaction: Transaction): Promise<boolean> {
    const rows = this.#rows(transaction)
    const dropped = await rows.dropOf(user, this.isAsked ? since : 0)
    return dropped > 0 && (await rows.count(user)) === 0
  }

  /**
   * Takes away the passkey with this handle, see `Undoable`.
   * @throws DatabaseError
   */
  async undo(transaction: Transaction, user: string, handle: string): Promise<string | null> {
    const rows = this.#rows(transaction)
    const isDropped = await rows.dropOne(user, handle)
    return isDropped && (await rows.count(user)) === 0 ? this.name : null
  }

  /**
   * Deletes the passkeys of an account that is deleted, in its transaction; resolves with their number.
   * @throws DatabaseError
   */
  forget(user: string, surface: Surface = this.#database): Promise<number> {
    return this.#rows(surface).dropOf(user)
  }

  /** Deletes the used challenges that have expired; resolves with their number. */
  sweep(): Promise<number> {
    return this.#challenges().sweepExpired()
  }

  /**
   * The account of a passkey that has signed as expected, whose proof is used up; null if it is refused, and
   * when the database fails, which is reported.
   * @throws ConfigurationError if the package is not installed.
   */
  async #prove(text: string, expected: ExpectedProof): Promise<PasskeyOwner | null> {
    try {
      const proven = await this.#check(text, expected)
      return proven === null ? null : await this.#accept(proven, expected)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      const { throwables = Throwables } = this.#options
      throwables.notify(error)
      return null
    }
  }

  async #check(text: string, { purpose, binding, user }: ExpectedProof): Promise<Proven | null> {
    const assertion = readAssertion(text)
    if (assertion === null) return null
    const { userHandle, client } = assertion
    if (!this.#challenges().isValid(client.challenge, purpose, binding)) return null
    const passkey = await this.#rows().find(assertion.id)
    if (passkey === null || (user !== null && passkey.user !== user)) return null
    // An authenticator that does not store the account leaves it out; then somebody else must have named it.
    const isNamed = userHandle === passkey.userHandle
    if (!isNamed && (user === null || userHandle !== null)) return null
    const { checkAssertion } = await loadWebauthn()
    const options = { site: this.#site, mustVerify: verifiesUser(purpose) }
    const checked = await checkAssertion(assertion, passkey.publicKey, options)
    return checked === null ? null : { passkey, challenge: client.challenge, checked }
  }

  // Challenge and counter in one transaction: of several requests with one assertion, one is accepted.
  async #accept(
    { passkey: { user, handle }, challenge, checked }: Proven,
    { peer = '', agent = '', request = null, route = null }: CredentialsOrigin,
  ): Promise<PasskeyOwner | null> {
    const spending = committedTransaction(this.#database, async (transaction) => {
      await this.#challenges(transaction).spend(challenge)
      if (await this.#rows(transaction).use(handle, checked)) return 'accepted'
      return (await this.#rows(transaction).has(user, handle)) ? 'copied' : 'removed'
    })
    const outcome = await spending.catch(nullIfDuplicate)
    if (outcome === 'copied') {
      const options = { keep: null, peer, agent, request, route }
      await this.#options.credentials.hold(user, options, async (_transaction, _account, tell) => {
        await tell('PasskeyCopied', this.name)
        return true
      })
    }
    if (outcome !== 'accepted') return null
    await this.#challenges().sweepByChance()
    return { user, handle }
  }

  /**
   * What authenticators know an account by. It says nothing to whoever has not the application key, and is
   * the same for all passkeys of an account, so that an authenticator keeps them together.
   */
  #userHandle(user: string, known: readonly StoredPasskey[]): string {
    const [first] = known
    if (first !== undefined) return first.userHandle
    return createHmac('sha256', this.#handleKey).update(user).digest('base64url')
  }

  #change(user: string, options: EndOthersOptions, work: FactorWork): Promise<boolean> {
    return this.#options.credentials.changeFactor(user, this.name, work, options)
  }

  #rows(surface: Surface = this.#database): PasskeyRows {
    return new PasskeyRows(surface, this.#options)
  }

  #challenges(surface: Surface = this.#database): PasskeyChallenges {
    return new PasskeyChallenges(surface, this.#challengeKey, this.#options)
  }
}

/** Ties the challenge for a new passkey to its account too. */
function ownBinding(binding: string, user: string, handle: string): string {
  return binding === '' ? '' : JSON.stringify([binding, user, handle])
}

function shortName(name: string): string {
  const trimmed = name.trim().slice(0, maxNameLength).toWellFormed()
  return trimmed === '' ? 'Passkey' : trimmed
}

function checkOptions(title: string, maxPasskeys: number): void {
  if (title.trim() === '') {
    throw invalidArgument('Passkeys needs a title, the name of the site that authenticators show')
  }
  if (!Number.isSafeInteger(maxPasskeys) || maxPasskeys < 1) {
    throw invalidArgument(`maxPasskeys must be a whole number, at least 1, got ${maxPasskeys}`)
  }
}

/**
 * Loads what needs SimpleWebAuthn, which the project installs itself.
 * @throws ConfigurationError E_PASSKEYS that says what to install.
 */
export function loadWebauthn(
  load: () => Promise<typeof Webauthn> = () => import('./webauthn.ts'),
): Promise<typeof Webauthn> {
  const packageName = '@simplewebauthn/server'
  const message = `passkeys need the package ${packageName}, which is not installed: npm install ${packageName}`
  return loadOptional({ names: [packageName], code: 'E_PASSKEYS', message }, load)
}
