import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { wantsColor } from './wants-color.ts'
import { paints } from './paints.ts'
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

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  return {
    interactive: stdin.isTTY && stdout.isTTY,
    screen: stdout.isTTY,
    paint: paints(wantsColor(env, stdout.isTTY)),
    errorPaint: paints(wantsColor(env, stderr.isTTY)),
    out: (text) => void stdout.write(text),
    err: writeAll,
    async ask(question, fallback) {
      const lines = createInterface({ input: stdin, output: stdout })
      try {
        const answer = await lines.question(`${question} (${fallback}) `)
        return answer.trim() === '' ? fallback : answer.trim()
      } finally {
        lines.close()
      }
    },
  }
}

function writeAll(text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(2, rest))
    } catch (error) {
      // EAGAIN means that the pipe is full for the moment; anything else, that it is closed.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}
