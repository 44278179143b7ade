import { InvalidArgumentException } from '../base/errors.ts'
import { Compressions } from './compressions.ts'
import { systemClock } from './ship-clock.ts'
import type { ShipClock } from './ship-clock.ts'

/** Options of `shipMetrics`. */
export interface ShipOptions {
  /** Folder with the workers' snapshots; all its `.json` files are merged. */
  readonly folder: string
  /**
   * Files older than this many seconds are skipped; 0 skips none. While the server is running, its
   * list of workers decides instead, regardless of age.
   * @default 60
   */
  readonly maxAge?: number
  /**
   * URL of the collector, to which `/v1/metrics` is appended. User info in it is sent as an
   * `Authorization` header.
   * @default 'http://localhost:4318'
   */
  readonly endpoint?: string
  /** The attribute `service.name`. @default 'framework' */
  readonly service?: string
  /** Additional request headers; their values are never shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** Timeout of one attempt in milliseconds; 0 means no limit. @default 10_000 */
  readonly timeoutMs?: number
  /** @default 'none' */
  readonly compression?: Compressions
  /** Epoch seconds when counting started. @default recorded by the server, else the folder's age */
  readonly start?: number
  /** Maximum number of attempts. @default 5 */
  readonly attempts?: number
  /** Seconds after which no further attempt starts. @default 60 */
  readonly retryFor?: number
  /** When it aborts, the current attempt is completed and none follows. */
  readonly signal?: AbortSignal
  /** Replaces the clock, for tests. */
  readonly clock?: ShipClock
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Options with defaults, except for `start`, which is looked up for each shipment. */
export type CompleteShipOptions = Required<Omit<ShipOptions, 'start'>> & Pick<ShipOptions, 'start'>

/** The longest delay that timers support. */
const maxMs = 2_147_483_647

/**
 * Fills in defaults.
 * @throws InvalidArgumentException for an invalid number.
 */
export function completeShipOptions(given: ShipOptions): CompleteShipOptions {
  const options = {
    maxAge: 60,
    endpoint: 'http://localhost:4318',
    service: 'framework',
    headers: {},
    timeoutMs: 10_000,
    compression: Compressions.None,
    attempts: 5,
    retryFor: 60,
    signal: AbortSignal.any([]),
    clock: systemClock,
    fetch,
    ...given,
  }
  checkNumber('maxAge', options.maxAge, 0, Number.MAX_SAFE_INTEGER)
  checkNumber('timeoutMs', options.timeoutMs, 0, maxMs)
  checkNumber('attempts', options.attempts, 1, 1_000)
  checkNumber('retryFor', options.retryFor, 0, maxMs / 1_000)
  return options
}

function checkNumber(name: string, value: number, min: number, max: number): void {
  if (Number.isFinite(value) && value >= min && value <= max) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} must be a number from ${min} to ${max}; got ${value}`,
  )
}
