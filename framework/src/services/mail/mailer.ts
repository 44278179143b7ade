import { Throwables } from '../../base/throwables/throwables.ts'
import { FrameworkError, InvalidArgumentException } from '../../base/errors.ts'
import { PermanentFailure } from '../queue/permanent-failure.ts'
import { DEFAULT_SENDER, parseAddress } from './address.ts'
import type { Address, AddressInput } from './address.ts'
import { composeLetter } from './compose-letter.ts'
import type { MailBody } from './compose-letter.ts'
import type { Lane } from './lane.ts'
import { unpackLetter } from './letter.ts'
import type { Letter } from './letter.ts'
import { MailError } from './mail-error.ts'
import type { MailViews } from './mail-views.ts'
import { Message } from './message.ts'
import { QueueLane } from './queue-lane.ts'
import type { MailQueue } from './queue-lane.ts'

/** Where the mails of a file lane may be looked at in a browser. */
export interface MailPreviewPlace {
  readonly folder: string
  /** Whether clients on other machines may look too. */
  readonly remote: boolean
}

/** How a mailer is made. */
export interface MailerOptions {
  readonly from?: AddressInput
  /** Letters go here first, and `mailer.work` takes them on from there. */
  readonly queue?: MailQueue | null
  /** Renders messages that name a view. */
  readonly views?: MailViews | null
  readonly preview?: MailPreviewPlace | null
  readonly throwables?: Throwables
  /** Epoch seconds, for the dates of mails. */
  readonly clock?: () => number
}

/** Delivers messages by one lane, at once or through a queue. */
export class Mailer {
  readonly preview: MailPreviewPlace | null
  readonly #lane: Lane
  readonly #queued: QueueLane | null
  readonly #from: Address
  readonly #views: MailViews | null
  readonly #throwables: Throwables
  readonly #clock: () => number
  readonly #pending = new Set<Promise<unknown>>()
  #closed = false

  /** @throws InvalidArgumentException for a sender that is no mailbox. */
  constructor(lane: Lane, options: MailerOptions = {}) {
    const { from = DEFAULT_SENDER, queue = null, views = null, preview = null } = options
    const { throwables = Throwables, clock = () => Date.now() / 1000 } = options
    this.preview = preview
    this.#lane = lane
    this.#queued = queue === null ? null : new QueueLane(queue)
    this.#from = parseAddress('the sender of the mailer', from)
    this.#views = views
    this.#throwables = throwables
    this.#clock = clock
  }

  /**
   * Delivers a message. Resolves with whether it is in other hands now: those of the server, the
   * folder or the queue. A failure is reported once; this never rejects.
   */
  deliver(message: Message): Promise<boolean> {
    return this.#keep(this.#deliver(message))
  }

  /**
   * The handler of the mail queue: sends a letter that `deliver` put there.
   * @throws PermanentFailure for a letter that the server will never take, MailError and others for
   * one to try again. A letter that some have got already is reported and never tried again.
   */
  readonly work = (job: { readonly payload: unknown }): Promise<void> => this.#keep(this.#work(job))

  /** Waits for what is under way, then lets go of the lane. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#pending)
    await this.#lane.close?.()
  }

  async #deliver(message: Message): Promise<boolean> {
    const lane = this.#queued ?? this.#lane
    let id: string | null = null
    try {
      const letter = await this.#compose(message)
      id = letter.id
      await lane.send(letter)
      return true
    } catch (thrown) {
      this.#report(thrown, lane, id)
      return false
    }
  }

  async #work({ payload }: { readonly payload: unknown }): Promise<void> {
    const letter = unpackLetter(payload)
    try {
      await this.#lane.send(letter)
    } catch (thrown) {
      if (!(thrown instanceof MailError)) throw thrown
      if (thrown.partial) this.#report(thrown, this.#lane, letter.id)
      else if (thrown.permanent) throw new PermanentFailure(thrown.message, { cause: thrown })
      else throw thrown
    }
  }

  #report(thrown: unknown, { name }: Lane, message: string | null): void {
    this.#throwables.notify(thrown, { interface: 'ACI', lane: name, message })
  }

  async #compose(message: Message): Promise<Letter> {
    // Anything else was never checked, and could carry a header of somebody's choice.
    if (!(message instanceof Message)) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        'a mailer delivers messages: mailer.deliver(new Message({ … }))',
      )
    }
    if (this.#closed) throw new MailError('a message came after the mailer was closed')
    const body = this.#bodyOf(message)
    return composeLetter(message, { body, from: this.#from, date: this.#clock() })
  }

  #bodyOf({ text, html, view, subject, data }: Message): MailBody {
    if (view === null) return { text, html }
    if (this.#views === null) {
      throw new FrameworkError(
        'E_VIEWS',
        `mail view "${view}" was asked for, but there are no views`,
      )
    }
    return this.#views.render(view, { subject, ...data })
  }

  #keep<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const forget = (): void => void this.#pending.delete(work)
    work.then(forget, forget)
    return work
  }
}
