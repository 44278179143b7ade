import { timingSafeEqual } from 'node:crypto'
import type { OpenIdAttempt } from './open-id-issuer.ts'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import type { Session } from '../../http/session/session.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'

/** A sign-in at an issuer that was begun in a session. */
export interface StoredAttempt extends OpenIdAttempt {
  /** The account that gets the identity, if it is to be linked; null to sign in. */
  readonly link: string | null
  /** Epoch seconds after which it is void. */
  readonly expires: number
}

/** Begins a sign-in with new random values. */
export function newAttempt(link: string | null, expires: number): StoredAttempt {
  return { state: secret(), nonce: secret(), verifier: secret(), link, expires }
}

/** Stores an attempt, instead of an earlier one at the same issuer; those that are over are dropped. */
export async function storeAttempt(
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
export async function takeAttempt(
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
  if (typeof stored !== 'object' || stored === null) return attempts
  for (const [name, value] of Object.entries(stored)) {
    const attempt = readAttempt(value)
    if (attempt !== null) attempts.set(name, attempt)
  }
  return attempts
}

function readAttempt(value: unknown): StoredAttempt | null {
  if (typeof value !== 'object' || value === null) return null
  const { state, nonce, verifier, link, expires }: Readonly<Record<string, unknown>> = { ...value }
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
