import { createHash } from 'node:crypto'
import { InvalidArgumentException } from '../base/errors.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { Emitter } from '../events/emitter.ts'
import { currentTraceparent } from '../tracing/current-traceparent.ts'
import { JobPushed } from './job-pushed.ts'
import type { JobStore, LeasedJob, QueueCounts } from './job-store.ts'
import { decodePayload, encodePayload } from './payload.ts'
import { completeOptions } from './queue-options.ts'
import type { CompleteQueueOptions, QueueOptions } from './queue-options.ts'

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

const nameForm = /^[a-z0-9][a-z0-9_.-]{0,63}$/
const maxDelay = 31_536_000
const maxKeyLength = 1_024

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
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
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
    const job = { payload: sealed, delay: checkDelay(delay), digest, remember }
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
   * Decrypts the payload of a job.
   * @throws FrameworkError E_DECRYPT when its key is unknown or the payload was changed.
   */
  open(job: LeasedJob): Payload {
    return this.unseal(job).payload
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

  /** Makes every dead job waiting again, and returns their number. */
  retry(): Promise<number> {
    return this.store.retry(this.name)
  }

  /** Drops every job that is not running, including dead ones, and returns their number. */
  clear(): Promise<number> {
    return this.store.clear(this.name)
  }

  // Someone with write access to the store cannot move a job to another queue.
  get #context(): string {
    return `job of ${this.name}`
  }

  // Only the digest is stored: keys often contain e-mail addresses or other personal data.
  #digestOf(key: string): string {
    if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `a job key must be a string of 1 to ${maxKeyLength} characters`,
      )
    }
    return createHash('sha256').update(`${this.name}\0${key}`).digest('hex')
  }
}

function checkDelay(delay: number): number {
  if (typeof delay === 'number' && delay >= 0 && delay <= maxDelay) return delay
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `a job delay must be a number of seconds from 0 to ${maxDelay}, got ${String(delay)}`,
  )
}
