import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '../base/semaphore.ts'
import type { Lane } from './lane.ts'
import type { MailError } from './mail-error.ts'
import type { RawMessage } from './raw-message.ts'
import { partialFailure, smtpFailure, smtpTimeout } from './smtp-failure.ts'
import { completeSmtp } from './smtp-options.ts'
import type { CompleteSmtpOptions, SmtpOptions } from './smtp-options.ts'
import { openSmtpTransport } from './smtp-transport.ts'
import type { SmtpTransport } from './smtp-transport.ts'

/** A recipient that did not get the message, and why. */
interface FailedRecipient {
  readonly mailbox: string
  readonly failure: MailError
}

/**
 * Sends messages to a mail server. Recipients that the server defers (4xx) are retried once; other
 * failures are not retried, because the server may already have the message.
 */
export class SmtpLane implements Lane {
  readonly name = 'smtp'
  readonly #options: CompleteSmtpOptions
  readonly #semaphore: Semaphore
  #transport: Promise<SmtpTransport> | null = null

  /** @throws InvalidArgumentException for invalid options. */
  constructor(options: SmtpOptions) {
    this.#options = completeSmtp(options)
    this.#semaphore = new Semaphore(this.#options.connections)
  }

  /** @throws MailError when a recipient did not get the message. */
  async send(message: RawMessage): Promise<void> {
    const deadline = AbortSignal.timeout(this.#options.timeout * 1000)
    const failures = await this.#attempt(message, message.to, deadline)
    const { final = [], deferred = [] } = Object.groupBy(failures, ({ failure: { status } }) =>
      status !== null && status >= 400 && status < 500 ? 'deferred' : 'final',
    )
    const failedAgain = deferred.length === 0 ? [] : await this.#retry(message, deferred, deadline)
    const [first, ...others] = [...final, ...failedAgain]
    if (first === undefined) return
    const count = others.length + 1
    if (count === message.to.length) throw first.failure
    throw partialFailure(count, message.to.length, first.failure)
  }

  /** Connects and logs in like `send`, and names nobody. */
  async dryRun(): Promise<void> {
    const deadline = AbortSignal.timeout(this.#options.timeout * 1000)
    try {
      await this.#reserved((transport) => transport.dryRun(), deadline)
    } catch (thrown) {
      throw this.#failure(thrown, deadline)
    }
  }

  async close(): Promise<void> {
    const transport = await this.#transport
    transport?.close()
  }

  async #retry(
    message: RawMessage,
    deferred: readonly FailedRecipient[],
    deadline: AbortSignal,
  ): Promise<FailedRecipient[]> {
    try {
      await sleep(this.#options.pause * 1000, undefined, { signal: deadline })
    } catch {
      return [...deferred]
    }
    const recipients = deferred.map(({ mailbox }) => mailbox)
    return this.#attempt(message, recipients, deadline)
  }

  /** Sends the message once and returns the recipients that did not get it. */
  async #attempt(
    message: RawMessage,
    to: readonly string[],
    deadline: AbortSignal,
  ): Promise<FailedRecipient[]> {
    try {
      const refusals = await this.#reserved((transport) => transport.send(message, to), deadline)
      return refusals.map(({ mailbox, error }) => {
        return { mailbox, failure: smtpFailure(error, this.#options) }
      })
    } catch (thrown) {
      const failure = this.#failure(thrown, deadline)
      return to.map((mailbox) => ({ mailbox, failure }))
    }
  }

  #failure(thrown: unknown, deadline: AbortSignal): MailError {
    return deadline.aborted ? smtpTimeout(this.#options) : smtpFailure(thrown, this.#options)
  }

  /** Uses one of the connections, until the deadline at most. */
  async #reserved<T>(
    use: (transport: SmtpTransport) => Promise<T>,
    deadline: AbortSignal,
  ): Promise<T> {
    const work = async (): Promise<T> => {
      const release = await this.#semaphore.acquire(this.#options.timeout * 1000)
      try {
        if (release === null || deadline.aborted) throw smtpTimeout(this.#options)
        this.#transport ??= openSmtpTransport(this.#options)
        return await use(await this.#transport)
      } finally {
        // A slow server can delay the end of a transfer beyond the deadline.
        release?.()
      }
    }
    return Promise.race([work(), aborted(deadline)])
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
