import { InvalidArgumentException } from '../../../base/errors.ts'

/** Bounds that keep one client from taking the server for itself. Times are seconds, sizes bytes. */
export interface Limits {
  /** All request headers together. */
  readonly headerBytes: number
  /** Number of request header lines. */
  readonly headerCount: number
  /** Length of the request target. */
  readonly target: number
  /** Request body. */
  readonly body: number
  /** Files of one form; its other fields are bounded by `body`. */
  readonly files: number
  /** Each file of a form. */
  readonly fileBytes: number
  /** From the connection's opening until all headers arrived. */
  readonly headersTimeout: number
  /** Until the whole request arrived. */
  readonly requestTimeout: number
  /** An idle connection stays open this long. */
  readonly keepAliveTimeout: number
  /** A client that takes nothing of its answer for this long is cut. */
  readonly sendTimeout: number
  /** Requests on one connection; 0 is no bound. */
  readonly requestsPerSocket: number
  /** Connections of one worker; 0 is no bound. */
  readonly connections: number
}

const defaults: Limits = {
  headerBytes: 16_384,
  headerCount: 100,
  target: 8_192,
  body: 1_048_576,
  files: 10,
  fileBytes: 10_485_760,
  headersTimeout: 15,
  requestTimeout: 60,
  keepAliveTimeout: 65,
  sendTimeout: 60,
  requestsPerSocket: 0,
  connections: 0,
}

/**
 * Completes the limits with safe defaults.
 * @throws InvalidArgumentException for an unknown name or a value that is no number of zero or more.
 */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) {
      const known = Object.keys(defaults).join(', ')
      throw new InvalidArgumentException('E_LIMIT', `unknown limit "${name}"; known are ${known}`)
    }
    if (!Number.isFinite(value) || value < 0) {
      throw new InvalidArgumentException(
        'E_LIMIT',
        `limit "${name}" must be a number of zero or more, not ${String(value)}`,
      )
    }
  }
  return { ...defaults, ...given }
}
