import type { Letter } from './letter.ts'

/** A way to deliver letters: to a folder, a mail server or a queue. */
export interface Lane {
  /** Its name in reports. */
  readonly name: string
  /** Resolves when the letter has been handed over; rejects otherwise. */
  send(letter: Letter): Promise<void>
  /**
   * Does the work of `send` but delivers nothing, so that nobody can tell from the load of the server
   * whether there was somebody to write to. Without it a rehearsal ends with the composed letter.
   */
  rehearse?(letter: Letter): Promise<void>
  /** Closes its connections. */
  close?(): unknown
}
