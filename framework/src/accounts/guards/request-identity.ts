import { isSuspended } from '../account-state.ts'
import type { RequestIdentity } from '../../http/request/request-identity.ts'
import { identityOf } from '../../http/session/identity-keys.ts'

/** Loads an account; null if it no longer exists. If it cannot tell, it must reject instead. */
export type LoadIdentity = (id: string) => Promise<RequestIdentity | null>

/** Loads an account that may be entered; null also for one that is suspended. */
export async function loadActive(load: LoadIdentity, id: string): Promise<RequestIdentity | null> {
  const identity = await load(id)
  return identity === null || isSuspended(identity) ? null : identity
}

/** The identity in a session, from the value under the guard's key: an id, or an object with an `id`. */
export function requestIdentity(value: unknown): RequestIdentity | null {
  const id = identityOf(value)
  if (id === null) return null
  if (typeof value !== 'object' || value === null) return Object.freeze({ id })
  return Object.freeze({
    id,
    ...('email' in value && typeof value.email === 'string' && { email: value.email }),
    ...('verified' in value && typeof value.verified === 'boolean' && { verified: value.verified }),
  })
}
