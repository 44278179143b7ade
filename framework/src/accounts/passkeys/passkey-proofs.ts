import type { Throwables } from '../../errors/throwables/throwables.ts'
import { DatabaseError, nullIfDuplicate } from '../../database/database-error.ts'
import type { Database, Surface } from '../../database/surface.ts'
import { deadlockRetries } from '../../database/transaction-options.ts'
import type { CredentialsOrigin } from '../changes/credentials-options.ts'
import type { ChangeJournal } from '../changes/change-journal.ts'
import { loadWebauthn } from './load-webauthn.ts'
import { verifiesUser } from './passkey-challenges.ts'
import type { ChallengePurpose, PasskeyChallenges } from './passkey-challenges.ts'
import type { PasskeyRows, StoredPasskey } from './passkey-rows.ts'
import { readAssertion } from './read-credential.ts'
import type { RelyingParty } from './webauthn-options.ts'
import type { CheckedAssertion } from './webauthn.ts'

/** What a proof has to be for. */
export interface ExpectedProof {
  readonly purpose: ChallengePurpose
  readonly binding: string
  /** The account; null if the passkey says which. */
  readonly user: string | null
}

/** The account of an accepted passkey. */
export interface PasskeyOwner {
  /** Id of the account. */
  readonly user: string
  /** Of the passkey. */
  readonly handle: string
}

/** The parts of `Passkeys` that proofs need. */
export interface PasskeyProofsParts {
  readonly site: RelyingParty
  readonly rows: (surface: Surface) => PasskeyRows
  readonly challenges: (surface: Surface) => PasskeyChallenges
  readonly journal: ChangeJournal
  readonly throwables: Throwables
}

/** A valid assertion for a challenge that was not used up yet. */
interface Proven {
  readonly passkey: StoredPasskey
  readonly challenge: string
  readonly checked: CheckedAssertion
}

/** Checks what browsers return for a passkey, and uses it up. */
export class PasskeyProofs {
  readonly #database: Database
  readonly #parts: PasskeyProofsParts

  constructor(database: Database, parts: PasskeyProofsParts) {
    this.#database = database
    this.#parts = parts
  }

  /**
   * The account of a passkey that has signed as expected; null if it is refused, and when the database
   * fails, which is reported.
   * @throws ConfigurationError if the package is not installed.
   */
  async prove(
    text: string,
    expected: ExpectedProof,
    origin: CredentialsOrigin,
  ): Promise<PasskeyOwner | null> {
    try {
      const proven = await this.#check(text, expected)
      return proven === null ? null : await this.#accept(proven, origin)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      this.#parts.throwables.notify(error)
      return null
    }
  }

  async #check(text: string, { purpose, binding, user }: ExpectedProof): Promise<Proven | null> {
    const { site, rows, challenges } = this.#parts
    const assertion = readAssertion(text)
    if (assertion === null) return null
    const { userHandle, client } = assertion
    if (!challenges(this.#database).isValid(client.challenge, purpose, binding)) return null
    const passkey = await rows(this.#database).find(assertion.id)
    if (passkey === null || (user !== null && passkey.user !== user)) return null
    // An authenticator that does not store the account leaves it out; then somebody else must have named it.
    const isNamed = userHandle === passkey.userHandle
    if (!isNamed && (user === null || userHandle !== null)) return null
    const { checkAssertion } = await loadWebauthn()
    const options = { site, mustVerify: verifiesUser(purpose) }
    const checked = await checkAssertion(assertion, passkey.publicKey, options)
    return checked === null ? null : { passkey, challenge: client.challenge, checked }
  }

  // Challenge and counter in one transaction: of several requests with one assertion, one is accepted.
  async #accept(
    { passkey: { user, handle }, challenge, checked }: Proven,
    origin: CredentialsOrigin,
  ): Promise<PasskeyOwner | null> {
    const { rows, challenges, journal } = this.#parts
    const work = async (transaction: Surface): Promise<'accepted' | 'copied' | 'removed'> => {
      await challenges(transaction).spend(challenge)
      if (await rows(transaction).use(handle, checked)) return 'accepted'
      if (!(await rows(transaction).has(user, handle))) return 'removed'
      await journal.record(transaction, 'PasskeyCopied', user, origin, 'passkey')
      return 'copied'
    }
    const options = { isolation: 'read-committed', retry: deadlockRetries } as const
    const outcome = await this.#database.transaction(work, options).catch(nullIfDuplicate)
    if (outcome === 'copied') journal.emit('PasskeyCopied', user, origin, 'passkey')
    if (outcome !== 'accepted') return null
    await challenges(this.#database).sweepByChance()
    return { user, handle }
  }
}
