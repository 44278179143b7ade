import { createHash } from 'node:crypto'
import type { Encrypter } from '../base/crypto/encrypter.ts'
import { jsonOf } from '../base/encoding/json-of.ts'
import { invalidArgument } from '../base/errors.ts'
import type { InvalidArgumentException } from '../base/errors.ts'
import { Emitter } from '../events/emitter.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { currentTraceparent } from '../tracing/tracer.ts'
import type { JobStore, LeasedJob, QueueCounts } from './job-store.ts'
import { JobPushed } from './job.ts'

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

/** Options of `push`. */
export interface PushOptions {
  /** Seconds before the job may run. @default 0 */
  readonly delay?: number
  /**
   * Idempotency key, such as `welcome:42`: while a job with that key is waiting or running, and for
   * `remember` seconds after it is done, no second one is added.
   */
  readonly key?: string
}

/** What is sealed in a job. */
export interface UnsealedJob<Payload> {
  readonly payload: Payload
  /** The `traceparent` of the span that pushed it; null if there was none. */
  readonly origin: string | null
}

const bounds = {
  attempts: { default: 3, min: 1, max: 1_000, whole: true },
  backoff: { default: 10, min: 0, max: 86_400, whole: false },
  maxBackoff: { default: 3_600, min: 0, max: 2_592_000, whole: false },
  visibility: { default: 60, min: 1, max: 86_400, whole: false },
  timeout: { default: 900, min: 0.001, max: 86_400, whole: false },
  remember: { default: 86_400, min: 0, max: 31_536_000, whole: false },
  maxPayload: { default: 8_388_608, min: 1, max: 1_073_741_824, whole: true },
} as const

const nameForm = /^[a-z0-9][a-z0-9_.-]{0,63}$/
const delayRange = { min: 0, max: 31_536_000, whole: false }
const maxKeyLength = 1_024
/** Begins a content with an origin; no JSON text begins with it. */
const originMark = '@'

/**
 * Jobs that run later, by `runQueue` in this process or another: `new Queue<Mail>('mail', store, {
 * encrypter })`. Payloads are JSON values and are stored encrypted.
 */
export class Queue<Payload = unknown> {
  readonly name: string
  readonly store: JobStore
  readonly options: CompleteQueueOptions

  /** @throws InvalidArgumentException for an invalid name or option. */
  constructor(name: string, store: JobStore, options: QueueOptions) {
    if (!nameForm.test(name)) {
      throw invalidArgument(
        `a queue name must be 1 to 64 lower-case letters, digits, "_", "." or "-", got ${JSON.stringify(name)}`,
      )
    }
    this.name = name
    this.store = store
    this.options = completeOptions(options)
  }

  /**
   * Adds a job. Returns false and adds nothing when its key is known.
   * @throws InvalidArgumentException for a payload that is not JSON or is too large.
   */
  async push(payload: Payload, { delay = 0, key }: PushOptions = {}): Promise<boolean> {
    const { encrypter, maxPayload, remember } = this.options
    const content = { payload, origin: currentTraceparent() }
    const sealed = encrypter.encrypt(encodePayload(content, maxPayload), this.#context)
    const digest = key === undefined ? null : this.#digestOf(key)
    const job = {
      payload: sealed,
      delay: checkNumber('a job delay in seconds', delay, delayRange),
      digest,
      remember,
    }
    const isAdded = await Steps.Instance.measure(StepKinds.Push, this.name, () =>
      this.store.add(this.name, job),
    )
    if (isAdded) Emitter.Instance.emit(JobPushed, this.name, payload)
    return isAdded
  }

  /**
   * The same queue with another store: `queue.through(new SqlJobs(transaction)).push(…)` adds the job
   * only if the transaction commits.
   */
  through(store: JobStore): Queue<Payload> {
    return new Queue(this.name, store, this.options)
  }

  /**
   * Decrypts what is sealed in a job.
   * @throws FrameworkError E_DECRYPT when its key is unknown or the payload was changed.
   */
  unseal(job: LeasedJob): UnsealedJob<Payload> {
    const content = this.options.encrypter.decrypt(job.payload, this.#context)
    const { payload, origin } = decodePayload(content)
    // Encrypted with our key for this queue, so it came from `push`, which takes only `Payload`.
    return { payload: payload as Payload, origin }
  }

  /** The number of jobs by state. */
  counts(): Promise<QueueCounts> {
    return this.store.counts(this.name)
  }

  // Someone with write access to the store cannot move a job to another queue.
  get #context(): string {
    return `job of ${this.name}`
  }

  // Only the digest is stored: keys often contain e-mail addresses or other personal data.
  #digestOf(key: string): string {
    if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
      throw invalidArgument(`a job key must be a string of 1 to ${maxKeyLength} characters`)
    }
    return createHash('sha256').update(`${this.name}\0${key}`).digest('hex')
  }
}

/** @throws InvalidArgumentException that names the invalid option and what it accepts. */
function completeOptions(options: QueueOptions): CompleteQueueOptions {
  return {
    encrypter: options.encrypter,
    attempts: checkOption('attempts', options),
    backoff: checkOption('backoff', options),
    maxBackoff: checkOption('maxBackoff', options),
    visibility: checkOption('visibility', options),
    timeout: checkOption('timeout', options),
    remember: checkOption('remember', options),
    maxPayload: checkOption('maxPayload', options),
  }
}

function checkOption(name: keyof typeof bounds, options: QueueOptions): number {
  const { default: fallback, ...range } = bounds[name]
  return checkNumber(`${name} of a queue`, options[name] ?? fallback, range)
}

/** @throws InvalidArgumentException for a value that is not a number in this range. */
export function checkNumber(
  title: string,
  value: number,
  { min, max, whole }: { readonly min: number; readonly max: number; readonly whole: boolean },
): number {
  const isInRange = typeof value === 'number' && value >= min && value <= max
  if (isInRange && (!whole || Number.isInteger(value))) return value
  throw invalidArgument(
    `${title} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, got ${String(value)}`,
  )
}

/**
 * Encodes a payload as JSON, after the origin and a line break if there is one. Contents without an
 * origin look as before there were any, so that older workers can read them.
 * @throws InvalidArgumentException when it is not JSON or longer than `maxBytes`.
 */
function encodePayload({ payload, origin }: UnsealedJob<unknown>, maxBytes: number): Buffer {
  const bytes = Buffer.from(jsonOf(payload, (got) => invalidPayload(`JSON, got ${got}`)))
  if (bytes.length <= maxBytes) {
    return origin === null ? bytes : Buffer.concat([Buffer.from(`${originMark}${origin}\n`), bytes])
  }
  throw invalidPayload(
    `at most ${maxBytes} bytes of JSON, got ${bytes.length}; store large data elsewhere`,
  )
}

function invalidPayload(expected: string): InvalidArgumentException {
  return invalidArgument(`a job payload must be ${expected}`)
}

/** Reverses `encodePayload`. */
function decodePayload(bytes: Buffer): UnsealedJob<unknown> {
  const text = bytes.toString()
  if (!text.startsWith(originMark)) return { payload: JSON.parse(text), origin: null }
  const end = text.indexOf('\n')
  return { payload: JSON.parse(text.slice(end + 1)), origin: text.slice(originMark.length, end) }
}
