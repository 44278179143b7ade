import { createHash } from 'node:crypto'
import { InvalidArgumentException } from '../../base/errors.ts'
import type { JobStore, LeasedJob, QueueCounts } from './job-store.ts'
import { decodePayload, encodePayload } from './payload.ts'
import { completeOptions } from './queue-options.ts'
import type { CompleteQueueOptions, QueueOptions } from './queue-options.ts'

/** How one job is pushed. */
export interface PushOptions {
  /** Seconds before it may be taken; none unless given. */
  readonly delay?: number
  /**
   * Says what is to be done, such as `welcome:42`: while a job of that key waits or runs, and for
   * `remember` seconds after it was done, no second one is added.
   */
  readonly key?: string
}

const nameForm = /^[a-z0-9][a-z0-9_.-]{0,63}$/
const maxDelay = 31_536_000
const maxKeyLength = 1_024

/**
 * Work that is done later, by `drain` in this process or another: `new Queue<Mail>('mail', store, {
 * encrypter })`. A payload is a JSON value and lies in the store only encrypted.
 */
export class Queue<Payload = unknown> {
  readonly name: string
  readonly store: JobStore
  readonly options: CompleteQueueOptions

  /** @throws InvalidArgumentException for a name or an option that cannot be used. */
  constructor(name: string, store: JobStore, options: QueueOptions) {
    if (!nameForm.test(name)) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `the name of a queue is 1 to 64 lower-case letters, digits, "_", "." or "-", got ${JSON.stringify(name)}`,
      )
    }
    this.name = name
    this.store = store
    this.options = completeOptions(options)
  }

  /**
   * Adds a job. False when its key is known, and then nothing is added.
   * @throws InvalidArgumentException for a payload that JSON cannot hold or that is too large.
   */
  async push(payload: Payload, { delay = 0, key }: PushOptions = {}): Promise<boolean> {
    const { encrypter, maxPayload, remember } = this.options
    const sealed = encrypter.encrypt(encodePayload(payload, maxPayload), this.#context)
    const digest = key === undefined ? null : this.#digestOf(key)
    return this.store.add(this.name, {
      payload: sealed,
      delay: checkDelay(delay),
      digest,
      remember,
    })
  }

  /**
   * The same queue in another store: `queue.through(new SqlJobs(transaction)).push(…)` adds the job
   * when the transaction commits, and not otherwise.
   */
  through(store: JobStore): Queue<Payload> {
    return new Queue(this.name, store, this.options)
  }

  /**
   * The payload of a job of this queue.
   * @throws FrameworkError E_DECRYPT when its key is not known any more or it was changed.
   */
  open(job: LeasedJob): Payload {
    // It was encrypted with our key, for this queue: it came through `push`, which takes nothing else.
    return decodePayload(this.options.encrypter.decrypt(job.payload, this.#context)) as Payload
  }

  /** How many jobs there are, by state. */
  counts(): Promise<QueueCounts> {
    return this.store.counts(this.name)
  }

  /** Lets every dead job begin anew, and gives their number. */
  retry(): Promise<number> {
    return this.store.retry(this.name)
  }

  /** Drops every job that is not being worked on, the dead ones too, and gives their number. */
  clear(): Promise<number> {
    return this.store.clear(this.name)
  }

  // A job moved to another queue by somebody who can write to the store is not run there.
  get #context(): string {
    return `job of ${this.name}`
  }

  // Only the digest is stored: keys hold addresses of people, and sometimes more than they should.
  #digestOf(key: string): string {
    if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `the key of a job is a text of 1 to ${maxKeyLength} characters`,
      )
    }
    return createHash('sha256').update(`${this.name}\0${key}`).digest('hex')
  }
}

function checkDelay(delay: number): number {
  if (typeof delay === 'number' && delay >= 0 && delay <= maxDelay) return delay
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `the delay of a job is a number of seconds from 0 to ${maxDelay}, got ${String(delay)}`,
  )
}
