import type { Lane } from './lane.ts'
import type { Letter } from './letter.ts'
import { readMail } from './read-mail.ts'
import type { ReadMail } from './read-mail.ts'

/** Keeps letters in memory, for tests. */
export class MemoryLane implements Lane {
  readonly name = 'memory'
  readonly letters: Letter[] = []
  /** The letters parsed, oldest first. */
  readonly mails: ReadMail[] = []

  async send(letter: Letter): Promise<void> {
    const mail = await readMail(letter.raw)
    // Both at once: who waits for a letter finds its mail.
    this.letters.push(letter)
    this.mails.push(mail)
  }

  async rehearse(letter: Letter): Promise<void> {
    await readMail(letter.raw)
  }
}
