import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { wantsColor } from './wants-color.ts'
import { paints } from './paints.ts'
import type { Paints } from './paints.ts'

/** Where commands write and ask. The only place of the console that touches the process's streams. */
export interface Terminal {
  /** Whether a person sits on both ends, so that questions make sense. */
  readonly interactive: boolean
  /** Whether output goes to a screen and not to a file or pipe. */
  readonly screen: boolean
  /** Colours for `out`, which do nothing where none are wanted. */
  readonly paint: Paints
  /** Colours for `err`. */
  readonly errorPaint: Paints
  /** Writes to the standard output as it is. */
  out(text: string): void
  /** Writes to the standard error, at once: nothing is lost when the process ends next. */
  err(text: string): void
  /** Asks and resolves with the answer, or with `fallback` when it is empty. */
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
      // A pipe that is full for the moment; one that is gone takes no words any more.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}
