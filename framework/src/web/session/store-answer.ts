import { HttpError } from '../errors/http-error.ts'

/** Seconds after which a client that met a silent store may try again. */
const retryAfter = 5

/**
 * Asks the store. While it fails, requests that need their session fail with it: to go on as a
 * guest would sign people out, and to go on as anybody else would sign them in.
 * @throws HttpError 503 with the failure as its cause.
 */
export async function storeAnswer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw silent(cause)
  }
}

/**
 * Asks the store and goes on with what it says, without a promise where it says so at once. A
 * failure is a promise that rejects as that of `storeAnswer`.
 */
export function afterAnswer<T, U>(
  ask: () => T | Promise<T>,
  then: (answer: T) => U,
): U | Promise<U> {
  let answer: T | Promise<T>
  try {
    answer = ask()
  } catch (cause) {
    return Promise.reject(silent(cause))
  }
  return answer instanceof Promise ? answer.then(then, refuse) : then(answer)
}

function refuse(cause: unknown): never {
  throw silent(cause)
}

function silent(cause: unknown): HttpError {
  return unavailable('the session store does not answer', cause)
}

/** The answer of a request whose session cannot be had. */
export function unavailable(reason: string, cause?: unknown): HttpError {
  return new HttpError(503, reason, { cause, headers: { 'Retry-After': String(retryAfter) } })
}
