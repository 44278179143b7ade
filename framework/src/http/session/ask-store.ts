import { HttpError } from '../errors/http-error.ts'

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
