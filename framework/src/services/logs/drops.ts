import { writeSync } from 'node:fs'

/** Counts the lines a sink could not write, and tells of its first trouble on standard error. */
export class Drops {
  #count = 0
  #told = false
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
    this.tell('drops lines', reason)
  }

  /** Says what is wrong, the first time only. */
  tell(trouble: string, reason: unknown): void {
    if (this.#told) return
    this.#told = true
    const why = reason instanceof Error ? reason.message : String(reason)
    this.#report(`log sink ${this.#sink} ${trouble}: ${why}\n`)
  }
}

// Past the stream: if standard error is what broke, its `error` event would end the process.
function reportOnStandardError(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // Nobody is left to tell.
  }
}
