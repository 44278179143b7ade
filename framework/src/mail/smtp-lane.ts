import { setTimeout as sleep } from 'node:timers/promises'
import { aborted } from 'node:util'
import { hasCode } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import { Semaphore } from '../base/semaphore.ts'
import type { Lane } from './lane.ts'
import type { MailError } from './mail-error.ts'
import type { RawMessage } from './raw-message.ts'
import { partialFailure, smtpFailure, smtpTimeout } from './smtp-failure.ts'
import { completeSmtp, MailSecurity } from './smtp-options.ts'
import type { CompleteSmtpOptions, SmtpOptions } from './smtp-options.ts'

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
    const late = aborted(deadline, deadline).then(() => Promise.reject(deadline.reason))
    return Promise.race([work(), late])
  }
}

const idleMs = 10_000

/** A message makes this process work longer than one empty turn and shorter than two. */
function dryRunTurns(): number {
  return Math.random() < 0.5 ? 1 : 2
}

/** The connections to one mail server. */
type SmtpTransport = Awaited<ReturnType<typeof openSmtpTransport>>

/** Opens connections as needed; nodemailer is loaded with the first one. */
async function openSmtpTransport(options: CompleteSmtpOptions) {
  const { host, port, secure, login, timeout, connections, ca } = options
  const { createTransport } = await import('nodemailer')
  const timeoutMs = timeout * 1000
  // Only its log says when a connection is free again.
  const onFree: (() => void)[] = []
  const transport = createTransport({
    pool: true,
    logger: {
      debug(entry: unknown) {
        if (isFree(entry)) for (const resolve of onFree.splice(0)) resolve()
      },
    },
    host,
    port,
    secure: secure === MailSecurity.Tls,
    requireTLS: secure === MailSecurity.StartTls,
    ignoreTLS: secure === MailSecurity.None,
    // Without this, mail would be sent without login when the server does not offer one, or when an
    // attacker removes the offer.
    ...(login !== null && { auth: { ...login }, forceAuth: true }),
    ...(ca !== undefined && { tls: { ca } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxConnections: connections,
    maxRequeues: 2,
    idleTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    /** Resolves with those who do not get it; rejects with a nodemailer error when nobody does. */
    async send({ from, raw }: RawMessage, to: readonly string[]) {
      const envelope = { from: { address: from }, to: to.map((address) => ({ address })) }
      const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: Buffer.from(raw) })
      return rejectedErrors.map((error) => ({ mailbox: error.recipient ?? '', error }))
    },
    /** Connects and logs in if necessary, and does as much as for a message, but names nobody. */
    async dryRun() {
      for (let turns = dryRunTurns(); turns > 0; turns -= 1) {
        const free = new Promise<void>((resolve) => onFree.push(resolve))
        // nodemailer connects, then finds no recipients, and resets the conversation (RSET).
        await transport.sendMail({ envelope: { from: '', to: [] }, raw: '' }).catch(passMissing)
        await free
      }
    },
    close: () => transport.close(),
  }
}

// nodemailer closes a connection after a hundred messages; then the next turn opens another one.
function isFree(entry: unknown): boolean {
  return isRecord(entry) && (entry['action'] === 'available' || entry['action'] === 'closed')
}

// What the server itself refuses has its response.
function passMissing(error: unknown): void {
  if (hasCode(error, 'EENVELOPE') && error instanceof Error && !('responseCode' in error)) return
  throw error
}
