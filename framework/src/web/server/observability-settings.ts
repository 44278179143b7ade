import { resolve } from 'node:path'
import { InvalidArgumentException } from '../../base/errors.ts'

/** Where and how often the workers of a server leave their metrics for each other. */
export interface ObservabilitySettings {
  /** Absolute. */
  readonly folder: string
  /** Seconds between two dumps of a worker. */
  readonly interval: number
  /** Seconds after which a file is too old to count. */
  readonly maxAge: number
}

/** @throws InvalidArgumentException for seconds that cannot work. */
export function completeObservability(
  given: Partial<ObservabilitySettings> = {},
): ObservabilitySettings {
  const { folder = 'storage/observability', interval = 10, maxAge = 60 } = given
  check(Number.isFinite(interval) && interval > 0, 'interval', 'seconds above zero', interval)
  check(Number.isFinite(maxAge) && maxAge >= 0, 'maxAge', 'seconds of zero or more', maxAge)
  return { folder: resolve(folder), interval, maxAge }
}

function check(holds: boolean, option: string, expected: string, came: number): void {
  if (holds) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `server option "observability.${option}" must be ${expected}, not ${came}`,
  )
}
