import { FrameworkError, invalidArgument } from '../base/errors.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { PermanentFailure } from '../queue/job.ts'
import { DEFAULT_SENDER, parseAddress } from './address.ts'
import type { Address, AddressInput } from './address.ts'
import type { Lane } from './lane.ts'
import { MailError } from './mail-error.ts'
import type { MailViews } from './mail-views.ts'
import { Message } from './message.ts'
import { QueueLane } from './queue-lane.ts'
import type { MailQueue } from './queue-lane.ts'
import { encodeMessage, unpackMessage } from './raw-message.ts'
import type { MailBody, RawMessage } from './raw-message.ts'

/** Makes the mails of a file lane visible in a browser. */
export interface MailPreviewOptions {
  readonly folder: string
  /** Whether clients on other machines may see them too. */
  readonly remote: boolean
}

/** Options of `Mailer`. */
export interface MailerOptions {
  /** The sender of messages without one. @default 'no-reply@localhost' */
  readonly from?: AddressInput
  /** Messages are queued here first; `mailer.work` sends them. */
  readonly queue?: MailQueue | null
  /** Renders messages that name a view. */
  readonly views?: MailViews | null
  readonly preview?: MailPreviewOptions | null
  readonly throwables?: Throwables
  /** Epoch seconds, for the dates of mails. */
  readonly clock?: () => number
}

/** Options of `mailer.deliver`. */
export interface DeliverOptions {
  /**
   * Does the same work but delivers nothing: for a message about an account that does not exist, whose
   * sender must not learn that.
   * @default false
   */
  readonly dryRun?: boolean
}

/** Delivers messages through one lane, directly or through a queue. */
export class Mailer {
  readonly preview: MailPreviewOptions | null
  readonly #lane: Lane
  readonly #queued: QueueLane | null
  readonly #from: Address
  readonly #views: MailViews | null
  readonly #throwables: Throwables
  readonly #clock: () => number
  readonly #pending = new Set<Promise<unknown>>()
  #closed = false

  /** @throws InvalidArgumentException for an invalid sender. */
  constructor(lane: Lane, options: MailerOptions = {}) {
    const { from = DEFAULT_SENDER, queue = null, views = null, preview = null } = options
    const { throwables = Throwables, clock = epochSeconds } = options
    this.preview = preview
    this.#lane = lane
    this.#queued = queue === null ? null : new QueueLane(queue)
    this.#from = parseAddress('the sender of the mailer', from)
    this.#views = views
    this.#throwables = throwables
    this.#clock = clock
  }

  /**
   * Delivers a message. Resolves with true when the server, folder or queue has accepted it. A
   * failure is reported once; this never rejects.
   */
  deliver(message: Message, { dryRun = false }: DeliverOptions = {}): Promise<boolean> {
    return this.#track(this.#deliver(message, dryRun))
  }

  /**
   * The handler of the mail queue: sends a message that `deliver` has queued, or makes a dry run of it.
   * @throws PermanentFailure when the server will never accept the message; other errors mean retry.
   * A message that reached only some recipients is reported and not retried.
   */
  readonly work: (job: { readonly payload: unknown }) => Promise<void> = (job) =>
    this.#track(this.#work(job))

  /** Waits for pending deliveries, then closes the lane. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#pending)
    await this.#lane.close?.()
  }

  async #deliver(message: Message, dryRun: boolean): Promise<boolean> {
    const lane = this.#queued ?? this.#lane
    let id: string | null = null
    try {
      const raw = await this.#encode(message)
      id = raw.id
      await hand(lane, raw, dryRun)
      return true
    } catch (thrown) {
      this.#report(thrown, lane, id)
      return false
    }
  }

  async #work({ payload }: { readonly payload: unknown }): Promise<void> {
    const raw = unpackMessage(payload)
    try {
      await hand(this.#lane, raw, raw.to.length === 0)
    } catch (thrown) {
      if (!(thrown instanceof MailError)) throw thrown
      if (thrown.partial) this.#report(thrown, this.#lane, raw.id)
      else if (thrown.permanent) throw new PermanentFailure(thrown.message, { cause: thrown })
      else throw thrown
    }
  }

  #report(thrown: unknown, { name }: Lane, message: string | null): void {
    this.#throwables.notify(thrown, { interface: 'ACI', lane: name, message })
  }

  async #encode(message: Message): Promise<RawMessage> {
    // Anything else was not validated and could inject headers.
    if (!(message instanceof Message)) {
      throw invalidArgument('a mailer delivers only messages: mailer.deliver(new Message({ … }))')
    }
    if (this.#closed) throw new MailError('the mailer is closed')
    const body = this.#bodyOf(message)
    return encodeMessage(message, { body, from: this.#from, date: this.#clock() })
  }

  #bodyOf({ text, html, view, subject, data }: Message): MailBody {
    if (view === null) return { text, html }
    if (this.#views === null) {
      throw new FrameworkError(
        'E_VIEWS',
        `cannot render mail view "${view}": the mailer has no views`,
      )
    }
    return this.#views.render(view, { subject, ...data })
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const forget = (): void => void this.#pending.delete(work)
    work.then(forget, forget)
    return work
  }
}

// A dry run is a step too: metrics must not tell who has an account.
function hand(lane: Lane, raw: RawMessage, dryRun: boolean): Promise<void> {
  const work = (): Promise<void> =>
    dryRun ? (lane.dryRun?.(raw) ?? Promise.resolve()) : lane.send(raw)
  return Steps.Instance.measure(StepKinds.Mail, lane.name, work, raw.id)
}
