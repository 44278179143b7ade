import type { Database, Surface } from '../../database/surface.ts'
import { retryOnDeadlock } from '../../database/transaction-options.ts'
import { isEmailAddress, normalEmail } from '../email-address.ts'
import type {
  ChangeOptions,
  CredentialsOrigin,
  EndOthersOptions,
} from '../changes/credentials-options.ts'
import { isMailboxProven } from '../identity.ts'
import type { Credentials } from '../changes/credentials.ts'
import type { Identity } from '../identity.ts'
import type { Users } from '../users.ts'
import type { AccountActivity } from '../account-activity.ts'
import { OpenIdIdentities, identityHandle } from './open-id-identities.ts'
import type { OpenIdIdentitiesOptions, OpenIdIdentity } from './open-id-identities.ts'
import type { OpenIdIssuer, OpenIdSubject } from './open-id-issuer.ts'
import type { OpenIdRefusal } from './open-id-error.ts'

/** Options of `OpenIdAccounts`. */
export interface OpenIdAccountsOptions extends OpenIdIdentitiesOptions {
  readonly users: Users
  /** Links identities, and ends what an unlinked one may have begun. */
  readonly credentials: Pick<Credentials, 'changeAndEndOthers' | 'hold'>
  /** The issuers with which accounts can be entered. */
  readonly issuers: readonly OpenIdIssuer[]
  /**
   * Whether an account has a way in besides its password and its identities, such as a passkey.
   * @default it has none
   */
  readonly hasOtherWay?: (surface: Surface, user: string) => Promise<boolean>
  /** Records new accounts. @default nothing is recorded */
  readonly activity?: AccountActivity | null
}

/** The account that somebody at an issuer has here. */
export interface OpenIdEntry {
  readonly identity: Identity
  /** Whether the account was made for them just now. */
  readonly as: 'login' | 'registered'
}

interface LinkedIssuer {
  readonly issuer: OpenIdIssuer
  readonly subject: string | null
  readonly since: number | null
}

/** After so many lost races something else is wrong. */
const maxAttempts = 5

/**
 * Which account somebody who comes from an issuer may enter. An identity leads to the account it is linked
 * with. One that is not known is linked with the account of its e-mail only if both sides have verified
 * that e-mail: whoever has registered the address of somebody else gets nothing, and whoever claims one at
 * an issuer gets nothing either.
 */
export class OpenIdAccounts {
  readonly #database: Database
  readonly #options: OpenIdAccountsOptions
  readonly #identities: OpenIdIdentities

  constructor(database: Database, options: OpenIdAccountsOptions) {
    this.#database = database
    this.#options = options
    this.#identities = new OpenIdIdentities(database, options)
  }

  /**
   * The account that somebody may enter, linked or made just now if that is allowed, or why there is none.
   * Of several at once that do this for the first time, one links or makes it, and all get the same.
   * @throws DatabaseError, OpenIdError
   */
  enter(
    issuer: OpenIdIssuer,
    subject: OpenIdSubject,
    origin: CredentialsOrigin = {},
  ): Promise<OpenIdEntry | OpenIdRefusal> {
    return retryIfOutrun(() => this.#enter(issuer, subject, origin))
  }

  /**
   * Links an identity with an account whose owner is signed in and has confirmed it. Null once it is linked,
   * or why not: the e-mail of the account must be verified, since whoever resets its password by mail must
   * not find a stranger's way in.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async link(
    user: string,
    issuer: OpenIdIssuer,
    { subject }: Pick<OpenIdSubject, 'subject'>,
    options: ChangeOptions,
  ): Promise<OpenIdRefusal | null> {
    const outcome = await retryIfOutrun(async () => {
      const owner = await this.#identities.owner(issuer.key, subject)
      if (owner !== null) return owner === user ? 'linked' : 'elsewhere'
      const account = await this.#options.users.find(user)
      if (account === null || !isMailboxProven(account)) return 'unverified'
      if (await this.#isLinked(user, issuer)) return this.#takenUnlessOutrun(issuer, subject)
      const linked = await this.#link({ user, email: null, issuer, subject }, options)
      return linked === null ? null : 'linked'
    })
    return outcome === 'linked' ? null : outcome
  }

  /**
   * Takes the identity of an issuer from an account, and ends its other sessions and devices. `last` if
   * nobody could sign in afterwards, null if it has none; then nothing is changed.
   * @throws DatabaseError
   */
  async unlink(
    user: string,
    issuer: OpenIdIssuer,
    options: EndOthersOptions,
  ): Promise<'unlinked' | 'last' | null> {
    let isLast = false
    const isGone = await this.#options.credentials.changeAndEndOthers(
      user,
      'IdentityUnlinked',
      async (transaction) => {
        const identities = this.#identities.within(transaction)
        const linked = await identities.list(user)
        isLast = !(await this.#hasWayBesides(transaction, user, linked, issuer))
        return !isLast && (await identities.remove(user, issuer.key)) ? true : null
      },
      { ...options, method: issuer.name },
    )
    if (isGone !== null) return 'unlinked'
    return isLast && (await this.#isLinked(user, issuer)) ? 'last' : null
  }

  /**
   * The issuers, each with who the owner of the account is there and since when they are linked, in epoch
   * seconds; both are null if they are not.
   * @throws DatabaseError
   */
  async list(user: string): Promise<readonly LinkedIssuer[]> {
    const linked = await this.#identities.list(user)
    return this.#options.issuers.map((issuer) => {
      const identity = linked.find((one) => one.issuer === issuer.key)
      return { issuer, subject: identity?.subject ?? null, since: identity?.created ?? null }
    })
  }

  /** Removes all identities of an account that is deleted, in its transaction; resolves with their number. */
  forget(transaction: Surface, user: string): Promise<number> {
    return this.#identities.within(transaction).forget(user)
  }

  async #enter(
    issuer: OpenIdIssuer,
    subject: OpenIdSubject,
    origin: CredentialsOrigin,
  ): Promise<OpenIdEntry | OpenIdRefusal | null> {
    const owner = await this.#identities.owner(issuer.key, subject.subject)
    if (owner !== null) {
      const identity = await this.#options.users.find(owner)
      if (identity !== null) return { identity, as: 'login' }
      // Of an account that was deleted without it.
      await this.#identities.forget(owner)
      return null
    }
    // Nobody's account is looked up by an e-mail that anybody can claim.
    const email = issuer.trustsEmail ? emailOf(await subject.email()) : null
    if (email === null) return 'email'
    const account = await this.#options.users.fetch(email)
    if (account === null) {
      // An owner whose e-mail a thief has changed must not get a new account, which would be in the way of
      // the link that restores the old one.
      const isOpen = issuer.registers && !(await this.#options.users.isReserved(email))
      return isOpen ? this.#register(email, issuer, subject, origin) : 'closed'
    }
    // Of somebody who may have registered the address of somebody else, and knows its password.
    if (!isMailboxProven(account)) return 'unverified'
    if (await this.#isLinked(account.id, issuer)) {
      return this.#takenUnlessOutrun(issuer, subject.subject)
    }
    const proof = { user: account.id, email, issuer, subject: subject.subject }
    const identity = await this.#link(proof, { ...origin, keep: null })
    return identity === null ? null : { identity, as: 'login' }
  }

  /** Null if something has changed in the meantime. */
  #link({ user, email, issuer, subject }: Proof, options: ChangeOptions): Promise<Identity | null> {
    const { credentials } = this.#options
    // Held: nobody changes the e-mail from here on.
    return credentials.hold(user, options, async (transaction, _account, tell) => {
      const identity = await this.#options.users.within(transaction).find(user)
      if (identity === null || !isMailboxProven(identity)) return null
      if (email !== null && identity.email !== email) return null
      const identities = this.#identities.within(transaction)
      if (!(await identities.add(user, issuer.key, subject))) return null
      await tell('IdentityLinked', issuer.name, identityHandle(issuer.key, subject))
      return identity
    })
  }

  /** Null if somebody else was faster. */
  async #register(
    email: string,
    issuer: OpenIdIssuer,
    { subject }: OpenIdSubject,
    origin: CredentialsOrigin,
  ): Promise<OpenIdEntry | null> {
    const alongside = async (transaction: Surface, user: string): Promise<void> => {
      const isAdded = await this.#identities.within(transaction).add(user, issuer.key, subject)
      if (!isAdded) throw new Outrun()
      const entry = { user, event: 'Registered', method: 'oidc', ...origin } as const
      await this.#options.activity?.within(transaction).record(entry)
    }
    const user = await retryOnDeadlock(this.#database, () =>
      this.#options.users.enrollVerified(email, { alongside }),
    ).catch(nullIfOutrun)
    const identity = user === null ? null : await this.#options.users.find(user)
    return identity === null ? null : { identity, as: 'registered' }
  }

  async #isLinked(user: string, { key }: OpenIdIssuer): Promise<boolean> {
    return (await this.#identities.list(user)).some(({ issuer }) => issuer === key)
  }

  // The identity that is in the way may be this one, which another request has linked since it was looked for.
  async #takenUnlessOutrun({ key }: OpenIdIssuer, subject: string): Promise<'taken' | null> {
    return (await this.#identities.owner(key, subject)) === null ? 'taken' : null
  }

  // An issuer that is no longer configured lets nobody in.
  async #hasWayBesides(
    surface: Surface,
    user: string,
    linked: readonly OpenIdIdentity[],
    { key }: OpenIdIssuer,
  ): Promise<boolean> {
    const others = this.#options.issuers.filter((one) => one.key !== key)
    if (others.some((one) => linked.some(({ issuer }) => issuer === one.key))) return true
    if (await this.#options.users.within(surface).hasPassword(user)) return true
    return (await this.#options.hasOtherWay?.(surface, user)) ?? false
  }
}

/** Who is linked with whom. */
interface Proof {
  readonly user: string
  /** The e-mail that both sides have verified; null if the owner has confirmed it instead. */
  readonly email: string | null
  readonly issuer: OpenIdIssuer
  readonly subject: string
}

/** Rolls back the account of somebody who was registered by another request. */
class Outrun extends Error {}

function nullIfOutrun(error: unknown): null {
  if (error instanceof Outrun) return null
  throw error
}

function emailOf(text: string | null): string | null {
  return text !== null && isEmailAddress(text) ? normalEmail(text) : null
}

/** Looks again after a lost race, whose winner has changed the result. */
async function retryIfOutrun<T>(attempt: () => Promise<T | null>): Promise<T | 'unavailable'> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const outcome = await attempt()
    if (outcome !== null) return outcome
  }
  return 'unavailable'
}
