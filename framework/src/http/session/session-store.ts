import { HttpError } from '../errors/http-error.ts'

/** What is recorded with every use of a session. Times are epoch seconds. */
export interface SessionUse {
  readonly used: number
  /** When the session expires and may be swept. */
  readonly expires: number
  /** The `User-Agent` header. */
  readonly agent: string
  /** The client's address. */
  readonly peer: string
}

/** A complete session as it is written. */
export interface SessionRow extends SessionUse {
  /** The values, as JSON text. */
  readonly data: string
  /** The account id; null if nobody has signed in. */
  readonly identity: string | null
  /** Handle of the trusted device it belongs to; null for none. */
  readonly device: string | null
  /** When its id was created, epoch seconds. */
  readonly created: number
}

/** A session as a store returns it. */
export interface StoredSession extends Pick<SessionRow, 'data' | 'created' | 'used'> {
  /** Increases with every save; a save must name the revision it is based on. */
  readonly revision: number
}

/** A session in the list of one identity. */
export interface ListedSession extends Omit<SessionRow, 'identity' | 'expires'> {
  readonly digest: string
}

/**
 * Stores sessions by the digest of their id; a store never sees an id. Each method is atomic and
 * rejects if it cannot reach the store.
 */
export interface SessionStore {
  /** May return without a promise, which is faster: most requests do nothing but this. */
  read(digest: string): StoredSession | null | Promise<StoredSession | null>
  /** Adds a session with revision 1. Returns false and writes nothing if the digest exists. */
  create(digest: string, row: SessionRow): Promise<boolean>
  /**
   * Replaces a session and stores it under `newDigest`. Returns false and writes nothing unless the
   * session exists with that revision, so a late save never resurrects a session.
   */
  save(digest: string, revision: number, row: SessionRow, newDigest: string): Promise<boolean>
  /** Records a use of a session, if it exists and was not used later; the revision stays. */
  touch(digest: string, use: SessionUse): Promise<void>
  /**
   * Whether an identity is signed in with this session: it has neither ended nor does it wait for a factor.
   * In a transaction of the store it cannot end before that does.
   */
  isLive(identity: string, digest: string): Promise<boolean>
  /** Returns whether the session existed. */
  destroy(digest: string): Promise<boolean>
  /** Ends the sessions of an identity, except one, and returns how many. */
  destroyOf(identity: string, exceptDigest: string | null): Promise<number>
  /** Ends the sessions of an identity that belong to one of its devices, and returns how many. */
  destroyDevice(identity: string, device: string): Promise<number>
  list(identity: string): Promise<readonly ListedSession[]>
  /** Deletes the sessions expired at `now` and returns how many; 0 for stores that expire keys. */
  sweep(now: number): Promise<number>
}

/** A row that is no session: it belongs to nobody, and its digest is that of no id. */
export function plainRow(data: string, now: number, seconds: number): SessionRow {
  const use = { used: now, expires: now + seconds, agent: '', peer: '' }
  return { data, identity: null, device: null, created: now, ...use }
}

/** Sent as `Retry-After`, in seconds. */
const retryAfter = 5

/**
 * Calls the store. If it fails, the request fails too: treating the visitor as a guest would sign
 * people out.
 * @throws HttpError 503 with the failure as its cause.
 */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw storeFailed(cause)
  }
}

/**
 * Calls the store and maps its result, without a promise if the store is synchronous. A failure is a
 * promise that rejects like that of `askStore`.
 */
export function mapStoreResult<T, U>(
  ask: () => T | Promise<T>,
  map: (result: T) => U,
): U | Promise<U> {
  let result: T | Promise<T>
  try {
    result = ask()
  } catch (cause) {
    return Promise.reject(storeFailed(cause))
  }
  return result instanceof Promise ? result.then(map, rethrow) : map(result)
}

function rethrow(cause: unknown): never {
  throw storeFailed(cause)
}

function storeFailed(cause: unknown): HttpError {
  return unavailable('the session store does not answer', cause)
}

/** The error of a request whose session is unavailable. */
export function unavailable(reason: string, cause?: unknown): HttpError {
  return new HttpError(503, reason, { cause, headers: { 'Retry-After': String(retryAfter) } })
}
