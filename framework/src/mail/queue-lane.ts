import type { Lane } from './lane.ts'
import { packLetter } from './letter.ts'
import type { Letter, PackedLetter } from './letter.ts'

/** A queue for mail. It must encrypt the payload: mails contain links that give access to accounts. */
export interface MailQueue {
  push(payload: PackedLetter): Promise<unknown>
}

/** Puts letters into a queue, from which `mailer.work` sends them. */
export class QueueLane implements Lane {
  readonly name = 'queue'
  readonly #queue: MailQueue

  constructor(queue: MailQueue) {
    this.#queue = queue
  }

  async send(letter: Letter): Promise<void> {
    await this.#queue.push(packLetter(letter))
  }

  /** Queues a letter of the same size to nobody, with which the worker rehearses. */
  async rehearse(letter: Letter): Promise<void> {
    const { to, ...packed } = packLetter(letter)
    await this.#queue.push({ ...packed, to: [], unsent: to })
  }
}
