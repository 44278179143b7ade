import { FrameworkError, invalidArgument } from '../base/errors.ts'
import { PendingWork } from '../base/pending-work.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { noteFailedCall } from '../errors/stack/frames.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { callSiteIn, captureStack } from '../activity/caller.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { PermanentFailure } from '../queue/job.ts'
import { DEFAULT_SENDER, parseAddress } from './address.ts'
import type { Address, AddressInput } from './address.ts'
import { englishOnly } from '../i18n/languages.ts'
import type { Languages } from '../i18n/languages.ts'
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
  /** The languages of views. @default English */
  readonly languages?: Languages
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
  #from: Address
  readonly #options: MailerOptions
  readonly #pending = new PendingWork()
  #closed = false

  /** @throws InvalidArgumentException for an invalid sender. */
  constructor(lane: Lane, options: MailerOptions = {}) {
    const { from = DEFAULT_SENDER, queue = null, preview = null } = options
    this.preview = preview
    this.#lane = lane
    this.#queued = queue === null ? null : new QueueLane(queue)
    this.#from = parseAddress('the sender of the mailer', from)
    this.#options = options
  }

  /** Gives the sender a display name if it has none; accounts take the title of the site. */
  nameSender(name: string): void {
    if (this.#from.name !== '') return
    this.#from = parseAddress('the sender of the mailer', { ...this.#from, name })
  }

  /**
   * Delivers a message. Resolves with true when the server, folder or queue has accepted it. A
   * failure is reported once; this never rejects.
   */
  deliver(message: Message, { dryRun = false }: DeliverOptions = {}): Promise<boolean> {
    // The sending begins behind the first await, where the stack has lost who asked for it.
    return this.#pending.add(this.#deliver(message, dryRun, captureStack(captureStack)))
  }

  /**
   * The handler of the mail queue: sends a message that `deliver` has queued, or makes a dry run of it.
   * @throws PermanentFailure when the server will never accept the message; other errors mean retry.
   * A message that reached only some recipients is reported and not retried.
   */
  readonly work: (job: { readonly payload: unknown }) => Promise<void> = (job) =>
    this.#pending.add(this.#work(job))

  /** Waits for pending deliveries, then closes the lane. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#pending.finished()
    await this.#lane.close?.()
  }

  async #deliver(message: Message, dryRun: boolean, call: Error): Promise<boolean> {
    const lane = this.#queued ?? this.#lane
    let id: string | null = null
    try {
      const raw = await this.#encode(message)
      id = raw.id
      await hand(lane, raw, dryRun)
      return true
    } catch (thrown) {
      if (thrown instanceof Error) noteFailedCall(thrown, { caller: callSiteIn(call) })
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
    const { throwables = Throwables } = this.#options
    throwables.notify(thrown, { interface: 'ACI', lane: name, message })
  }

  async #encode(message: Message): Promise<RawMessage> {
    // Anything else was not validated and could inject headers.
    if (!(message instanceof Message)) {
      throw invalidArgument('a mailer delivers only messages: mailer.deliver(new Message({ … }))')
    }
    if (this.#closed) throw new MailError('the mailer is closed')
    const body = this.#bodyOf(message)
    const { clock = epochSeconds } = this.#options
    return encodeMessage(message, { body, from: this.#from, date: clock() })
  }

  #bodyOf(message: Message): MailBody {
    const { text, html, view, subject, language, timeZone, data } = message
    if (view === null) return { text, html }
    const { views = null, languages = englishOnly() } = this.#options
    if (views === null) {
      throw new FrameworkError(
        'E_VIEWS',
        `cannot render mail view "${view}": the mailer has no views`,
      )
    }
    return views.render(view, { subject, t: languages.in(language, timeZone), ...data })
  }
}

// A dry run is a step too: metrics must not tell who has an account.
function hand(lane: Lane, raw: RawMessage, dryRun: boolean): Promise<void> {
  const work = (): Promise<void> =>
    dryRun ? (lane.dryRun?.(raw) ?? Promise.resolve()) : lane.send(raw)
  return Steps.Instance.measure(StepKinds.Mail, lane.name, work, raw.id)
}
