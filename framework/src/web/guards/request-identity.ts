import type { RequestIdentity } from '../request/request.ts'
import { identityOf } from '../session/identity-keys.ts'

/** Loads an account; null when it is gone. It must reject, not say null, when it cannot tell. */
export type LoadIdentity = (id: string) => Promise<RequestIdentity | null>

/** Who stands in a session, by the value under the key of the guard: an id, or an object that has one. */
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
