import type { Lane } from './lane.ts'
import { packMessage } from './raw-message.ts'
import type { RawMessage, PackedMessage } from './raw-message.ts'

/** A queue for mail. It must encrypt the payload: mails contain links that give access to accounts. */
export interface MailQueue {
  push(payload: PackedMessage): Promise<unknown>
}

/** Puts messages into a queue, from which `mailer.work` sends them. */
export class QueueLane implements Lane {
  readonly name = 'queue'
  readonly #queue: MailQueue

  constructor(queue: MailQueue) {
    this.#queue = queue
  }

  async send(message: RawMessage): Promise<void> {
    await this.#queue.push(packMessage(message))
  }

  /** Queues a message of the same size to nobody, which the worker runs dry. */
  async dryRun(message: RawMessage): Promise<void> {
    const { to, ...packed } = packMessage(message)
    await this.#queue.push({ ...packed, to: [], unsent: to })
  }
}
