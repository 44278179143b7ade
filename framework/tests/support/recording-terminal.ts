import { paints } from '../../src/base/terminal/paints.ts'
import type { Terminal } from '../../src/base/terminal/terminal.ts'

/** A terminal without colours that records its output. */
export interface RecordingTerminal extends Terminal {
  /** Everything written to its output. */
  output(): string
  /** Everything written to its errors. */
  errors(): string
}

/** A terminal that keeps its output and answers questions from a list. */
export function recordingTerminal({
  screen = false,
  answers = null,
}: { screen?: boolean; answers?: string[] | null } = {}): RecordingTerminal {
  let output = ''
  let errors = ''
  return {
    interactive: answers !== null,
    screen,
    paint: paints(false),
    columns: Number.POSITIVE_INFINITY,
    errorPaint: paints(false),
    out: (text) => void (output += text),
    err: (text) => void (errors += text),
    ask: (question, fallback) => {
      output += `${question}\n`
      return Promise.resolve(answers?.shift() ?? fallback)
    },
    output: () => output,
    errors: () => errors,
  }
}
