import type { Session } from '../../http/session/session.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'

/** A sign-in that waits for a factor. It is in the session; nobody is signed in by it. */
export interface PendingSignIn {
  /** Id of the account. */
  readonly user: string
  /** Identifies this sign-in; the `binding` of what is tried to complete it. */
  readonly challenge: string
  /** How the visitor came in so far: `password`, for example. */
  readonly way: string
  /** Whether the browser becomes a trusted device. */
  readonly remember: boolean
  /** Changes with the password of the account: then the sign-in is void. */
  readonly version: string | null
  /** Epoch seconds after which it is void. */
  readonly expires: number
}

/** Stores a pending sign-in; its `id` is what sessions are indexed by. */
export function storePending(session: Session, { user, ...pending }: PendingSignIn): void {
  session.set(SessionKeys.Pending, { id: user, ...pending })
}

/** The pending sign-in of a session; null if there is none or its time is over. */
export async function readPending(session: Session, now: number): Promise<PendingSignIn | null> {
  const value = await session.get(SessionKeys.Pending)
  if (!isRecord(value)) return null
  const { id, challenge, way, remember, version, expires } = value
  if (typeof id !== 'string' || typeof challenge !== 'string' || typeof way !== 'string')
    return null
  if (typeof expires !== 'number' || expires <= now) return null
  return {
    user: id,
    challenge,
    way,
    remember: remember === true,
    version: typeof version === 'string' ? version : null,
    expires,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
