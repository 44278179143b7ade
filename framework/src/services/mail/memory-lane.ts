import type { Lane } from './lane.ts'
import type { Letter } from './letter.ts'
import { readMail } from './read-mail.ts'
import type { ReadMail } from './read-mail.ts'

/** Keeps letters in memory, for tests that look at them. */
export class MemoryLane implements Lane {
  readonly name = 'memory'
  readonly letters: Letter[] = []

  send(letter: Letter): Promise<void> {
    this.letters.push(letter)
    return Promise.resolve()
  }

  /** The letters as their readers see them, oldest first. */
  get mails(): ReadMail[] {
    return this.letters.map(({ raw }) => readMail(raw))
  }
}
