import type { Paints } from './paints.ts'

/** Input and output of commands; nothing else in the console uses the streams of the process. */
export interface Terminal {
  /** Whether both input and output are a terminal, so that questions can be asked. */
  readonly interactive: boolean
  /** Whether output goes to a screen rather than to a file or pipe. */
  readonly screen: boolean
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
