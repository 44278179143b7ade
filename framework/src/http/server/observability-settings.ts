import { resolve } from 'node:path'
import { InvalidArgumentException } from '../../base/errors.ts'

/** Where and how often the workers of a server write their metrics, and who may see them. */
export interface ObservabilitySettings {
  /** Absolute path. */
  readonly folder: string
  /** Seconds between two dumps of a worker. */
  readonly interval: number
  /** Files older than this many seconds are ignored. */
  readonly maxAge: number
  /**
   * Opens `/metrics` and `/ready` to clients outside private networks that send it as a bearer token.
   * @default null
   */
  readonly token: string | null
}

/** @throws InvalidArgumentException for invalid seconds. */
export function completeObservability(
  given: Partial<ObservabilitySettings> = {},
): ObservabilitySettings {
  const { folder = 'storage/observability', interval = 10, maxAge = 60, token = null } = given
  check(Number.isFinite(interval) && interval > 0, 'interval', 'seconds above zero', interval)
  check(Number.isFinite(maxAge) && maxAge >= 0, 'maxAge', 'seconds of zero or more', maxAge)
  check(token !== '', 'token', 'a text, or null', '""')
  return { folder: resolve(folder), interval, maxAge, token }
}

function check(holds: boolean, option: string, expected: string, got: number | string): void {
  if (holds) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `server option "observability.${option}" must be ${expected}, got ${got}`,
  )
}
