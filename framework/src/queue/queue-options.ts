import type { Encrypter } from '../base/crypto/encrypter.ts'
import { InvalidArgumentException } from '../base/errors.ts'

/** Options of `Queue`. Times are in seconds. */
export interface QueueOptions {
  /** Encrypts stored payloads: `key.encrypter('queue')` of the application key. */
  readonly encrypter: Encrypter
  /** Maximum number of attempts before a job is dead. @default 3 */
  readonly attempts?: number
  /** Delay after the first failure; it doubles with each further one. @default 10 */
  readonly backoff?: number
  /** Maximum delay between two attempts. @default 3_600 */
  readonly maxBackoff?: number
  /** Duration of a lease, after which the jobs of a dead worker are available again. @default 60 */
  readonly visibility?: number
  /** Maximum duration of an attempt. @default 900 */
  readonly timeout?: number
  /** How long the key of a completed job is remembered. @default 86_400 */
  readonly remember?: number
  /** Maximum bytes of a payload as JSON; every database accepts the default. @default 8_388_608 */
  readonly maxPayload?: number
}

/** Options with defaults filled in. */
export type CompleteQueueOptions = Required<QueueOptions>

const bounds = {
  attempts: { default: 3, min: 1, max: 1_000, whole: true },
  backoff: { default: 10, min: 0, max: 86_400, whole: false },
  maxBackoff: { default: 3_600, min: 0, max: 2_592_000, whole: false },
  visibility: { default: 60, min: 1, max: 86_400, whole: false },
  timeout: { default: 900, min: 0.001, max: 86_400, whole: false },
  remember: { default: 86_400, min: 0, max: 31_536_000, whole: false },
  maxPayload: { default: 8_388_608, min: 1, max: 1_073_741_824, whole: true },
} as const

/** @throws InvalidArgumentException that names the invalid option and what it accepts. */
export function completeOptions(options: QueueOptions): CompleteQueueOptions {
  return {
    encrypter: options.encrypter,
    attempts: checked('attempts', options),
    backoff: checked('backoff', options),
    maxBackoff: checked('maxBackoff', options),
    visibility: checked('visibility', options),
    timeout: checked('timeout', options),
    remember: checked('remember', options),
    maxPayload: checked('maxPayload', options),
  }
}

function checked(name: keyof typeof bounds, options: QueueOptions): number {
  const { default: fallback, min, max, whole } = bounds[name]
  const value: unknown = options[name] ?? fallback
  const isInRange = typeof value === 'number' && value >= min && value <= max
  if (isInRange && (!whole || Number.isInteger(value))) return value
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of a queue must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, got ${String(value)}`,
  )
}
