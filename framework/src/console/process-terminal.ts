import { createInterface } from 'node:readline/promises'
import { paints } from '../base/terminal/paints.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { writeErrorOutput } from '../errors/throwables/error-output.ts'

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  return {
    interactive: stdin.isTTY && stdout.isTTY,
    screen: stdout.isTTY,
    columns: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    paint: paints(wantsColor(env, stdout.isTTY)),
    errorPaint: paints(wantsColor(env, stderr.isTTY)),
    out: (text) => void stdout.write(text),
    err: writeErrorOutput,
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

/** Whether to use colours: `NO_COLOR` turns them off, then `FORCE_COLOR` decides, then the screen. */
export function wantsColor(
  variables: Readonly<Record<string, string | undefined>>,
  screen: boolean,
): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force } = variables
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return screen && variables['TERM'] !== 'dumb'
}
