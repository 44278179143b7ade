import { InvalidArgumentException } from '../../../base/errors.ts'

/** Limits that keep one client from using up the server. Times are seconds, sizes bytes. */
export interface Limits {
  /** All request headers together. */
  readonly headerBytes: number
  /** Number of request header lines. */
  readonly headerCount: number
  /** Length of the request target. */
  readonly target: number
  /** Request body. */
  readonly body: number
  /** How deep the values of a JSON body may be nested. */
  readonly jsonDepth: number
  /** How many values a JSON body may hold: texts, numbers, lists, objects and what is in them. */
  readonly jsonValues: number
  /** Number of files in a form, where a route declares no other; its fields are limited by `body`. */
  readonly files: number
  /** Each file of a form, where a route declares no other. */
  readonly fileBytes: number
  /** Until all headers have arrived. */
  readonly headersTimeout: number
  /** Until the whole request has arrived. */
  readonly requestTimeout: number
  /** How long an idle connection stays open. */
  readonly keepAliveTimeout: number
  /** A client that reads nothing of its response for this long is disconnected. */
  readonly sendTimeout: number
  /** Bytes of events that wait for a client that reads too slowly; beyond it, it is disconnected. */
  readonly eventBacklog: number
  /** Requests per connection; 0 for no limit. */
  readonly requestsPerSocket: number
  /** Connections per worker; 0 for no limit. */
  readonly connections: number
}

const defaults: Limits = {
  headerBytes: 16_384,
  headerCount: 100,
  target: 8_192,
  body: 1_048_576,
  jsonDepth: 64,
  jsonValues: 20_000,
  files: 10,
  fileBytes: 10_485_760,
  headersTimeout: 15,
  requestTimeout: 60,
  keepAliveTimeout: 65,
  sendTimeout: 60,
  eventBacklog: 1_048_576,
  requestsPerSocket: 0,
  connections: 0,
}

/**
 * Completes the limits with safe defaults.
 * @throws InvalidArgumentException for an unknown name or a value that is not a number of at least 0.
 */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) {
      const known = Object.keys(defaults).join(', ')
      throw new InvalidArgumentException('E_LIMIT', `unknown limit "${name}"; choose from ${known}`)
    }
    if (!Number.isFinite(value) || value < 0) {
      throw new InvalidArgumentException(
        'E_LIMIT',
        `limit "${name}" must be a number, at least 0, got ${String(value)}`,
      )
    }
  }
  return { ...defaults, ...given }
}
