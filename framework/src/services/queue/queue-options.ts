import type { Encrypter } from '../../base/crypto/encrypter.ts'
import { InvalidArgumentException } from '../../base/errors.ts'

/** How a queue treats its jobs. Times are seconds. */
export interface QueueOptions {
  /** Encrypts payloads at rest: `key.encrypter('queue')` of the application key. */
  readonly encrypter: Encrypter
  /** How often a job is tried before it is dead; 3 unless given. */
  readonly attempts?: number
  /** Wait after the first failure, 10 unless given; each further one waits twice as long. */
  readonly backoff?: number
  /** The longest wait between two attempts; an hour unless given. */
  readonly maxBackoff?: number
  /** How long a job of a worker that died stays with it; 60 unless given. A living worker renews it. */
  readonly visibility?: number
  /** How long an attempt may take; 15 minutes unless given. */
  readonly timeout?: number
  /** How long the key of a job that was done keeps another one out; a day unless given. */
  readonly remember?: number
  /** Most bytes of a payload as JSON; 8 MiB unless given, which every database takes in one statement. */
  readonly maxPayload?: number
}

/** The same with nothing left out. */
export type CompleteQueueOptions = Required<QueueOptions>

const bounds = {
  attempts: { unless: 3, least: 1, most: 1_000, whole: true },
  backoff: { unless: 10, least: 0, most: 86_400, whole: false },
  maxBackoff: { unless: 3_600, least: 0, most: 2_592_000, whole: false },
  visibility: { unless: 60, least: 1, most: 86_400, whole: false },
  timeout: { unless: 900, least: 0.001, most: 86_400, whole: false },
  remember: { unless: 86_400, least: 0, most: 31_536_000, whole: false },
  maxPayload: { unless: 8_388_608, least: 1, most: 1_073_741_824, whole: true },
} as const

/** @throws InvalidArgumentException that names the option and what it takes. */
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
  const { unless, least, most, whole } = bounds[name]
  const value: unknown = options[name] ?? unless
  const fits = typeof value === 'number' && value >= least && value <= most
  if (fits && (!whole || Number.isInteger(value))) return value
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} of a queue is a ${whole ? 'whole ' : ''}number from ${least} to ${most}, got ${String(value)}`,
  )
}
