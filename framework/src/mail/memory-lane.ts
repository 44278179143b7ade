import type { Lane } from './lane.ts'
import type { RawMessage } from './raw-message.ts'
import { readMail } from './read-mail.ts'
import type { ReadMail } from './read-mail.ts'

/** Keeps messages in memory, for tests. */
export class MemoryLane implements Lane {
  readonly name = 'memory'
  readonly messages: RawMessage[] = []
  /** The messages parsed, oldest first. */
  readonly mails: ReadMail[] = []

  async send(message: RawMessage): Promise<void> {
    const mail = await readMail(message.raw)
    // Both at once: who waits for a message finds its mail.
    this.messages.push(message)
    this.mails.push(mail)
  }

  async dryRun(message: RawMessage): Promise<void> {
    await readMail(message.raw)
  }
}
