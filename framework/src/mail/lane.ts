import type { RawMessage } from './raw-message.ts'

/** A way to deliver messages: to a folder, a mail server or a queue. */
export interface Lane {
  /** Its name in reports. */
  readonly name: string
  /** Resolves when the message has been handed over; rejects otherwise. */
  send(message: RawMessage): Promise<void>
  /**
   * Does the work of `send` but delivers nothing, so that nobody can tell from the load of the server
   * whether there was somebody to write to. Without it a dry run ends with the encoded message.
   */
  dryRun?(message: RawMessage): Promise<void>
  /** Closes its connections. */
  close?(): unknown
}
