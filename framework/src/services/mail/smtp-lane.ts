import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from './lane.ts'
import type { Letter } from './letter.ts'
import type { MailError } from './mail-error.ts'
import { partlyRefused, smtpFailure, smtpTimeout } from './smtp-failure.ts'
import { completeSmtp } from './smtp-options.ts'
import type { CompleteSmtpOptions, SmtpOptions } from './smtp-options.ts'
import { openSmtpTransport } from './smtp-transport.ts'
import type { SmtpTransport } from './smtp-transport.ts'
import { Turns } from './turns.ts'

/** A mailbox that did not get a letter, and why. */
interface Miss {
  readonly mailbox: string
  readonly failure: MailError
}

/**
 * Hands letters to a mail server. A letter or mailbox that the server puts off (4xx) is offered once
 * more; whatever else goes wrong is not tried again, for the server may have the letter already.
 */
export class SmtpLane implements Lane {
  readonly name = 'smtp'
  readonly #options: CompleteSmtpOptions
  readonly #turns: Turns
  #transport: Promise<SmtpTransport> | null = null

  /** @throws InvalidArgumentException for options that cannot work. */
  constructor(options: SmtpOptions) {
    this.#options = completeSmtp(options)
    this.#turns = new Turns(this.#options.connections)
  }

  /** @throws MailError when a mailbox did not get it. */
  async send(letter: Letter): Promise<void> {
    const deadline = AbortSignal.timeout(this.#options.timeout * 1000)
    const misses = await this.#offer(letter, letter.to, deadline)
    const [lasting, passing] = sorted(misses)
    const missed = passing.length === 0 ? [] : await this.#offerAgain(letter, passing, deadline)
    const [failed, ...others] = [...lasting, ...missed]
    if (failed === undefined) return
    const count = others.length + 1
    if (count === letter.to.length) throw failed.failure
    throw partlyRefused(count, letter.to.length, failed.failure)
  }

  async close(): Promise<void> {
    const transport = await this.#transport
    transport?.close()
  }

  async #offerAgain(
    letter: Letter,
    misses: readonly Miss[],
    deadline: AbortSignal,
  ): Promise<Miss[]> {
    try {
      await sleep(this.#options.pause * 1000, undefined, { signal: deadline })
    } catch {
      return [...misses]
    }
    return this.#offer(
      letter,
      misses.map(({ mailbox }) => mailbox),
      deadline,
    )
  }

  /** The mailboxes that did not get the letter this time. */
  async #offer(letter: Letter, to: readonly string[], deadline: AbortSignal): Promise<Miss[]> {
    try {
      await this.#turns.take(deadline)
      // The turn ends with the conversation, which a server can draw out beyond the deadline.
      const handing = this.#hand(letter, to).finally(() => this.#turns.give())
      const { refusals } = await Promise.race([handing, aborted(deadline)])
      return refusals.map(({ mailbox, error }) => this.#miss(mailbox, error))
    } catch (thrown) {
      const failure = deadline.aborted
        ? smtpTimeout(this.#options)
        : smtpFailure(thrown, this.#options)
      return to.map((mailbox) => ({ mailbox, failure }))
    }
  }

  async #hand(letter: Letter, to: readonly string[]): ReturnType<SmtpTransport['hand']> {
    this.#transport ??= openSmtpTransport(this.#options)
    const transport = await this.#transport
    return transport.hand(letter, to)
  }

  #miss(mailbox: string, error: unknown): Miss {
    return { mailbox, failure: smtpFailure(error, this.#options) }
  }
}

/** Those that are not worth another attempt, and those that are. */
function sorted(misses: readonly Miss[]): [lasting: Miss[], passing: Miss[]] {
  const { lasting = [], passing = [] } = Object.groupBy(misses, ({ failure: { status } }) =>
    status !== null && status >= 400 && status < 500 ? 'passing' : 'lasting',
  )
  return [lasting, passing]
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
