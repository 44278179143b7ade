import type { Letter } from './letter.ts'

/** A way for letters to leave: into a folder, to a server, into a queue. */
export interface Lane {
  /** How reports call it. */
  readonly name: string
  /** Resolves when the letter is in other hands; rejects when it is not. */
  send(letter: Letter): Promise<void>
  /** Lets go of what it holds open. */
  close?(): unknown
}
