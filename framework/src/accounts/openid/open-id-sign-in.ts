import { timingSafeEqual } from 'node:crypto'
import { isRecord } from '../../base/is-record.ts'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { AuthEvents, emitAuthEvent, entryOrigin } from '../auth-events.ts'
import { SessionEnded } from '../session-ended.ts'
import type { OpenIdAccounts } from './open-id-accounts.ts'
import { OpenIdError } from './open-id-error.ts'
import type { OpenIdAttempt, OpenIdIssuer } from './open-id-issuer.ts'
import type { OpenIdRefusal } from './open-id-error.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Session } from '../../http/session/session.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'
import { identityOf } from '../../http/session/identity-keys.ts'
import type { GateResult } from '../sign-in/sign-in-gate.ts'
import type { SignIn } from '../sign-in/sign-in.ts'

/** Options of `OpenIdSignIn`. */
export interface OpenIdSignInOptions {
  /** From `openIssuers`. */
  readonly issuers: readonly OpenIdIssuer[]
  readonly accounts: OpenIdAccounts
  readonly signIn: Pick<SignIn, 'enter'>
  /** The public address of the site, `boot.server.url`; never that of a request. */
  readonly url: string
  /**
   * The path that an issuer sends browsers back to. Each issuer has its own: so a response of one is never
   * taken for that of another.
   * @default (name) => `/login/oidc/${name}/callback`
   */
  readonly callback?: (name: string) => string
  /** Seconds for which a sign-in that was begun can be completed. @default 600 */
  readonly ttl?: number
  /** Session key of the signed-in account. @default 'identity' */
  readonly key?: string
  /** Receives `AuthEvents.Failed`. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/** Options of `OpenIdSignIn.begin`. */
export interface BeginOpenIdOptions {
  /**
   * The account that gets the identity. Only on a route behind `Authentication` and `Confirmed`, and
   * only by POST.
   * @default none: the visitor signs in
   */
  readonly link?: string | null
}

/** How a sign-in at an issuer ended. */
export interface OpenIdResult {
  /** As of `SignIn.enter`, `linked`, or why nobody was signed in and nothing linked. */
  readonly outcome: GateResult | 'linked' | OpenIdRefusal
  /** Whether it was begun to link an identity. */
  readonly isLink: boolean
}

/**
 * Signs in with accounts of other sites, by OpenID Connect: the authorization code flow with PKCE, state and
 * nonce. What was begun is in the session of the browser that began, for ten minutes and once; for a guest
 * that is its encrypted cookie, so it costs no row.
 */
export class OpenIdSignIn {
  readonly issuers: readonly OpenIdIssuer[]
  readonly accounts: OpenIdAccounts
  readonly #options: Required<OpenIdSignInOptions>

  constructor(options: OpenIdSignInOptions) {
    this.issuers = options.issuers
    this.accounts = options.accounts
    this.#options = {
      callback: (name) => `/login/oidc/${name}/callback`,
      ttl: 600,
      key: 'identity',
      emitter: Emitter.Instance,
      clock: epochSeconds,
      ...options,
    }
  }

  /** The issuer of this name; null if there is none. */
  issuer(name: string): OpenIdIssuer | null {
    return this.issuers.find((one) => one.name === name) ?? null
  }

  /**
   * Begins a sign-in and resolves with the address at the issuer to send the browser to, or with null if
   * the issuer does not respond. `form-action` in a Content-Security-Policy keeps browsers from following a
   * redirect to it after a form: respond with a page that leads there.
   */
  async begin(
    request: Request,
    issuer: OpenIdIssuer,
    { link = null }: BeginOpenIdOptions = {},
  ): Promise<string | null> {
    const now = this.#now()
    const attempt = newAttempt(link, now + this.#options.ttl)
    try {
      const url = await issuer.authorizationUrl(attempt, this.#callback(issuer).href)
      await storeAttempt(request.session, issuer.name, attempt, now)
      return url
    } catch (error) {
      if (!(error instanceof OpenIdError)) throw error
      this.#tell(request, link, error.failure, error.detail)
      return null
    }
  }

  /**
   * Completes a sign-in when the issuer has sent the browser back. That is a GET from another site, which
   * `SameSite=Lax` cookies come with.
   * @throws DatabaseError
   */
  async finish(request: Request, response: Response, issuer: OpenIdIssuer): Promise<OpenIdResult> {
    const state = request.query['state'] ?? ''
    const attempt = await takeAttempt(request.session, issuer.name, state, this.#now())
    if (attempt === null) return this.#refuse(request, null, 'expired')
    const { link } = attempt
    // Somebody else has signed in since, or nobody is.
    if (link !== null && identityOf(await request.session.get(this.#options.key)) !== link) {
      return this.#refuse(request, link, 'expired', 'signed_out')
    }
    try {
      return await this.#complete(request, response, issuer, attempt)
    } catch (error) {
      if (error instanceof SessionEnded) return this.#refuse(request, link, 'expired', 'signed_out')
      if (!(error instanceof OpenIdError)) throw error
      return this.#refuse(request, link, error.failure, error.detail)
    }
  }

  async #complete(
    request: Request,
    response: Response,
    issuer: OpenIdIssuer,
    attempt: StoredAttempt,
  ): Promise<OpenIdResult> {
    const { link } = attempt
    const returned = this.#callback(issuer)
    returned.search = request.search
    const subject = await issuer.redeem(returned, attempt)
    const origin = entryOrigin(request)
    if (link !== null) {
      // It may have ended while the issuer was asked.
      const options = { ...origin, keep: request.session.digest }
      const refusal = await this.accounts.link(link, issuer, subject, options)
      if (refusal !== null) return this.#refuse(request, link, refusal)
      return { outcome: 'linked', isLink: true }
    }
    const entry = await this.accounts.enter(issuer, subject, origin)
    if (typeof entry === 'string') return this.#refuse(request, null, entry)
    const { identity, as } = entry
    const outcome = await this.#options.signIn.enter(request, response, identity, {
      as,
      way: 'oidc',
    })
    return { outcome, isLink: false }
  }

  #refuse(
    request: Request,
    link: string | null,
    outcome: OpenIdRefusal,
    detail: string | null = null,
  ): OpenIdResult {
    this.#tell(request, link, outcome, detail)
    return { outcome, isLink: link !== null }
  }

  // Of what was sent only a word that this file or the issuer's error knows: codes and tokens stay out.
  #tell(
    request: Request,
    user: string | null,
    outcome: OpenIdRefusal,
    detail: string | null,
  ): void {
    const reason = detail === null ? outcome : `${outcome}-${detail}`
    const details = { user, method: 'oidc', reason, at: this.#options.clock() }
    emitAuthEvent(this.#options.emitter, AuthEvents.Failed, request, details)
  }

  #now(): number {
    return Math.floor(this.#options.clock())
  }

  #callback({ name }: OpenIdIssuer): URL {
    return new URL(this.#options.callback(name), this.#options.url)
  }
}

/** A sign-in at an issuer that was begun in a session. */
interface StoredAttempt extends OpenIdAttempt {
  /** The account that gets the identity, if it is to be linked; null to sign in. */
  readonly link: string | null
  /** Epoch seconds after which it is void. */
  readonly expires: number
}

/** Begins a sign-in with new random values. */
function newAttempt(link: string | null, expires: number): StoredAttempt {
  return { state: secret(), nonce: secret(), verifier: secret(), link, expires }
}

/** Stores an attempt, instead of an earlier one at the same issuer; those that are over are dropped. */
async function storeAttempt(
  session: Session,
  name: string,
  attempt: StoredAttempt,
  now: number,
): Promise<void> {
  const others = [...(await attemptsIn(session))].filter(
    ([issuer, { expires }]) => issuer !== name && expires > now,
  )
  session.set(SessionKeys.OpenId, Object.fromEntries([...others, [name, attempt]]))
}

/**
 * Takes the attempt at an issuer out of a session, if it has this state and its time is not over; null
 * otherwise. Another state leaves it alone: a link on another site must not spoil what a visitor has begun.
 */
async function takeAttempt(
  session: Session,
  name: string,
  state: string,
  now: number,
): Promise<StoredAttempt | null> {
  const attempts = await attemptsIn(session)
  const attempt = attempts.get(name)
  if (attempt === undefined || !isEqual(attempt.state, state)) return null
  attempts.delete(name)
  session.set(SessionKeys.OpenId, attempts.size === 0 ? null : Object.fromEntries(attempts))
  return attempt.expires > now ? attempt : null
}

async function attemptsIn(session: Session): Promise<Map<string, StoredAttempt>> {
  const stored = await session.get(SessionKeys.OpenId)
  const attempts = new Map<string, StoredAttempt>()
  for (const [name, value] of Object.entries(isRecord(stored) ? stored : {})) {
    const attempt = readAttempt(value)
    if (attempt !== null) attempts.set(name, attempt)
  }
  return attempts
}

function readAttempt(value: unknown): StoredAttempt | null {
  if (!isRecord(value)) return null
  const { state, nonce, verifier, link, expires } = value
  if (typeof state !== 'string' || typeof nonce !== 'string') return null
  if (typeof verifier !== 'string' || typeof expires !== 'number') return null
  return { state, nonce, verifier, link: typeof link === 'string' ? link : null, expires }
}

// 43 characters, the fewest that PKCE allows.
function secret(): string {
  return pooledRandomBytes(32).toString('base64url')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
