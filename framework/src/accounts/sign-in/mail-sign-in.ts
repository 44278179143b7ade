import type { KeyObject } from 'node:crypto'
import { hash, randomBytes } from 'node:crypto'
import type { Database, Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { isRecord } from '../../base/is-record.ts'
import type { Session } from '../../http/session/session.ts'
import type { ApplicationKey } from '../../settings/application-key.ts'
import type {
  ChangeOptions,
  CredentialsOrigin,
  ProvenAccount,
} from '../changes/credentials-options.ts'
import type { Credentials } from '../changes/credentials.ts'
import type { Identity } from '../identity.ts'
import { readOneTimeCode } from '../factors/one-time-code.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { expiryOf } from '../tokens/token.ts'
import { MailChallenges, accountState } from './mail-challenges.ts'
import type { MailSecrets, MatchedChallenge } from './mail-challenges.ts'

/** Options of `MailSignIn`. */
export interface MailSignInOptions extends SecretRowsOptions {
  /** Verifies the address of an account that was not verified, and ends what came before. */
  readonly credentials: Pick<Credentials, 'proveMailbox'>
  /** Keys the digests of the codes. */
  readonly key: ApplicationKey
  /** Seconds for which code and link work. @default 600 */
  readonly ttl?: number
}

/** The part of a session that `MailSignIn` uses. */
export type MailSession = Pick<Session, 'get' | 'set' | 'delete'>

/** A mail that a browser has asked for. It holds no secret, and can go through a queue. */
export interface MailSignInRequest {
  /** The address as it was typed. */
  readonly email: string
  /** Digest of the ticket that the browser keeps. */
  readonly browser: string
  /** That of its earlier one, whose challenge is replaced; null for none. */
  readonly former: string | null
}

/** What a browser that has asked for a mail keeps in its session. */
interface MailTicket {
  /** The secret that ties the challenge to the browser. */
  readonly ticket: string
  /** The address as it was typed. */
  readonly email: string
  /** Whether the browser becomes a trusted device. */
  readonly remember: boolean
  /** When the mail was asked for, in epoch seconds. */
  readonly asked: number
}

/** Somebody who has the mail, in the browser that asked for it. */
export interface MailEntry extends ProvenAccount {
  /** Whether the visitor wants the browser to become a trusted device. */
  readonly remember: boolean
}

/** The mail that a browser waits for. */
export type WaitingMail = Omit<MailTicket, 'ticket'>

/** Longer than a code works: with a queue the mail may be made later than it was asked for. */
const maxAge = 3600

/**
 * Signing in by mail: one mail with a link and a code of six digits. Both work once, for ten minutes, and
 * only in the browser that asked, which keeps a ticket in its session. A code can be tried three times.
 *
 * `begin` does the same for every address. `challenge` belongs behind the response, best in a job: there the
 * account is looked up, and it does the same work if there is none. Then `redeemCode` or `redeemLink`
 * returns the account for `SignIn.enter`, which still asks for a second factor. For somebody who is signed in
 * already, `proveCode` takes the same code as the proof that they read the mails of the account.
 */
export class MailSignIn {
  readonly #database: Database
  readonly #key: KeyObject
  readonly #options: MailSignInOptions
  /** Seconds for which code and link work. */
  readonly ttl: number

  /** @throws InvalidArgumentException for a `ttl` below 1. */
  constructor(database: Database, options: MailSignInOptions) {
    this.#database = database
    this.#key = options.key.derive('mailed codes')
    this.#options = options
    this.ttl = expiryOf(0, options.ttl ?? 600)
  }

  /** Ties the browser of this session to the mail it asks for, instead of an earlier one. */
  async begin(
    session: MailSession,
    email: string,
    { remember = false }: { readonly remember?: boolean } = {},
  ): Promise<MailSignInRequest> {
    const asked = this.#challenges().now()
    const former = await readTicket(session, asked)
    const ticket = issueTicket(session, { email, remember, asked })
    const browser = browserOf(ticket)
    return { email, browser, former: former === null ? null : browserOf(former) }
  }

  /** What this browser waits for; null if it has not asked within the last hour. */
  async waiting(session: MailSession): Promise<WaitingMail | null> {
    const ticket = await readTicket(session, this.#challenges().now())
    if (ticket === null) return null
    const { email, remember, asked } = ticket
    return { email, remember, asked }
  }

  /**
   * Makes the code and the link for a mail. Without an account it does the same work, and what it
   * returns opens nothing: send it as a dry run.
   * @throws DatabaseError
   */
  async challenge(
    { browser, former }: MailSignInRequest,
    identity: Identity | null,
  ): Promise<MailSecrets> {
    const challenges = this.#challenges()
    if (former !== null) await challenges.drop(sql`browser = ${former}`)
    return challenges.add(browser, identity, this.ttl)
  }

  /**
   * Takes the code, once; null if it is wrong, late or of another browser. Then nothing tells these
   * apart, nor whether there is such an account. Put an `AccountLimit` around it, by the typed address:
   * every mail allows three guesses of a million.
   */
  async redeemCode(
    session: MailSession,
    code: string,
    origin: CredentialsOrigin = {},
  ): Promise<MailEntry | null> {
    const digits = readOneTimeCode(code)
    if (digits === null) return null
    return this.#redeem(session, origin, (challenges, browser) =>
      challenges.tryCode(browser, digits),
    )
  }

  /** Takes the link, `selector.secret`, once; null if it is wrong, late or of another browser. */
  redeemLink(
    session: MailSession,
    token: string,
    origin: CredentialsOrigin = {},
  ): Promise<MailEntry | null> {
    return this.#redeem(session, origin, (challenges, browser) =>
      challenges.tryLink(browser, token),
    )
  }

  /**
   * Takes the code, once, in a session of an account whose address only a link has verified (`keep`): then
   * its user reads the mails, and nothing of the account ends. Everything else is as with `redeemCode`.
   */
  async proveCode(
    session: MailSession,
    user: string,
    code: string,
    options: ChangeOptions & { readonly keep: string },
  ): Promise<boolean> {
    const digits = readOneTimeCode(code)
    if (digits === null) return false
    const proven = await this.#redeem(session, options, async (challenges, browser) => {
      const matched = await challenges.tryCode(browser, digits)
      return matched?.user === user ? matched : null
    })
    return proven !== null
  }

  /** Deletes the expired challenges; resolves with their number. */
  sweep(): Promise<number> {
    return this.#challenges().sweepExpired()
  }

  async #redeem(
    session: MailSession,
    options: Partial<ChangeOptions>,
    match: (challenges: MailChallenges, browser: string) => Promise<MatchedChallenge | null>,
  ): Promise<MailEntry | null> {
    const challenges = this.#challenges()
    const ticket = await readTicket(session, challenges.now())
    if (ticket === null) return null
    const browser = browserOf(ticket)
    return challenges.failClosed(null, async () => {
      const matched = await match(challenges, browser)
      if (matched === null) return null
      const proven = await this.#options.credentials.proveMailbox(
        matched.user,
        async (transaction, identity) =>
          (await this.#challenges(transaction).take(browser, matched)) &&
          accountState(identity) === matched.account,
        options,
      )
      if (proven === null) return null
      session.delete('mail_sign_in')
      return { ...proven, remember: ticket.remember }
    })
  }

  #challenges(surface: Surface = this.#database): MailChallenges {
    return new MailChallenges(surface, this.#key, this.#options)
  }
}

/** A new ticket; the session keeps it, and forgets an earlier one. */
export function issueTicket(
  session: MailSession,
  details: Omit<MailTicket, 'ticket'>,
): Pick<MailTicket, 'ticket'> {
  const ticket = randomBytes(32).toString('hex')
  session.set('mail_sign_in', { ticket, ...details })
  return { ticket }
}

/** The ticket of a session; null if there is none or it is old. */
export async function readTicket(session: MailSession, now: number): Promise<MailTicket | null> {
  const kept = await session.get('mail_sign_in')
  if (!isRecord(kept)) return null
  const { ticket, email, remember, asked } = kept
  if (typeof ticket !== 'string' || typeof email !== 'string') return null
  if (typeof asked !== 'number') return null
  return asked + maxAge <= now ? null : { ticket, email, remember: remember === true, asked }
}

/** What the table knows of a ticket. */
export function browserOf({ ticket }: Pick<MailTicket, 'ticket'>): string {
  return hash('sha256', `browser ${ticket}`, 'hex')
}
