import { InvalidArgumentException } from '../../../base/errors.ts'
import { Compressions } from './compressions.ts'
import { systemClock } from './ship-clock.ts'
import type { ShipClock } from './ship-clock.ts'

/** Where metrics come from, where they go and how hard it is tried. */
export interface ShipOptions {
  /** Folder where the workers leave their snapshots; all its `.json` files are merged. */
  readonly folder: string
  /**
   * Files last written longer ago, in seconds, are left out; 0 leaves none out. While their server
   * lives, its own list says which workers count, however old their files are.
   * @default 60
   */
  readonly maxAge?: number
  /**
   * Address of the collector, to which `/v1/metrics` is added; `http://localhost:4318` unless
   * given. User info in it is sent as an `Authorization` header.
   */
  readonly endpoint?: string
  /** `service.name` of what is measured; `framework` unless given. */
  readonly service?: string
  /** Sent along with the post; their values are never shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** The most that one attempt takes, in milliseconds, 0 is no limit; 10,000 unless given. */
  readonly timeoutMs?: number
  /** `none` unless given. */
  readonly compression?: Compressions
  /** Epoch seconds when counting began; when the folder was made unless given. */
  readonly start?: number
  /** How often it is posted at most; 5 unless given. */
  readonly attempts?: number
  /** Seconds after which no further attempt begins; 60 unless given. */
  readonly retryFor?: number
  /** When it fires, the attempt in hand is finished and no other follows. */
  readonly signal?: AbortSignal
  /** In place of the clock of this machine. */
  readonly clock?: ShipClock
  /** In place of the global one. */
  readonly fetch?: typeof fetch
}

/** Options with nothing left open but the start, which is looked up for each shipment. */
export type CompleteShipOptions = Required<Omit<ShipOptions, 'start'>> & Pick<ShipOptions, 'start'>

/** The most that timers can hold. */
const maxMs = 2_147_483_647

/**
 * Fills in what was not given.
 * @throws InvalidArgumentException for a number that makes no sense.
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

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (Number.isFinite(value) && value >= least && value <= most) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} must be a number from ${least} to ${most}; got ${value}`,
  )
}
