import type { Paints } from './paints.ts'

/** Input and output of commands; nothing else in the console uses the streams of the process. */
export interface Terminal {
  /** Whether both input and output are a terminal, so that questions can be asked. */
  readonly interactive: boolean
  /** Whether output goes to a screen rather than to a file or pipe. */
  readonly screen: boolean
  /** Width of the screen in characters; infinite for a file or pipe. */
  readonly columns: number
  /** Styles for `out`. */
  readonly paint: Paints
  /** Styles for `err`. */
  readonly errorPaint: Paints
  /** Writes to stdout. */
  out(text: string): void
  /** Writes to stderr synchronously, so that nothing is lost if the process exits next. */
  err(text: string): void
  /** Asks a question; resolves with `fallback` if the answer is empty. */
  ask(question: string, fallback: string): Promise<string>
}

/** Exit status of a command. */
export const ExitStatus = {
  Ok: 0,
  /** An error the user can fix: an invalid setting, a port in use, a folder that is not empty. */
  UserError: 1,
  /** The command line itself is wrong. */
  UsageError: 2,
  /** An unexpected error. */
  Uncaught: 255,
} as const
Object.freeze(ExitStatus)

export type ExitStatus = (typeof ExitStatus)[keyof typeof ExitStatus]
