import { writeSync } from 'node:fs'

/** Counts the lines that a sink could not write, and reports its first problem on standard error. */
export class DroppedLines {
  #count = 0
  #reported = false
  readonly #sink: string
  readonly #report: (text: string) => void

  constructor(sink: string, report: (text: string) => void = reportOnStandardError) {
    this.#sink = sink
    this.#report = report
  }

  get count(): number {
    return this.#count
  }

  add(lines: number, reason: unknown): void {
    if (lines === 0) return
    this.#count += lines
    this.report('drops lines', reason)
  }

  /** Reports a problem; only the first one of the sink. */
  report(problem: string, reason: unknown): void {
    if (this.#reported) return
    this.#reported = true
    const why = reason instanceof Error ? reason.message : String(reason)
    this.#report(`log sink ${this.#sink} ${problem}: ${why}\n`)
  }
}

// Bypasses the stream: if standard error itself broke, its `error` event would end the process.
function reportOnStandardError(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // Nowhere left to report it.
  }
}
