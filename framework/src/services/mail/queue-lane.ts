import type { Lane } from './lane.ts'
import { packLetter } from './letter.ts'
import type { Letter, PackedLetter } from './letter.ts'

/** What mail needs of a queue. It keeps the payload encrypted: mails hold links that open accounts. */
export interface MailQueue {
  push(payload: PackedLetter): Promise<unknown>
}

/** Puts letters into a queue; `mailer.work` sends them from there. */
export class QueueLane implements Lane {
  readonly name = 'queue'
  readonly #queue: MailQueue

  constructor(queue: MailQueue) {
    this.#queue = queue
  }

  async send(letter: Letter): Promise<void> {
    await this.#queue.push(packLetter(letter))
  }
}
