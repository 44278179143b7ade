import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Ending } from './ending.ts'

/** How a scanner ended. */
export interface ScannerEnd {
  readonly status: number | null
  /** Everything it said. */
  readonly output: string
}

/**
 * Runs a scanner to its end in a folder of its own; each option is a list with its value. Whatever
 * it wants from elsewhere than loopback, it does not get.
 */
export async function runScanner(
  ending: Ending,
  program: string,
  cwd: string,
  options: readonly (readonly string[])[],
): Promise<ScannerEnd> {
  const { PATH = '' } = process.env
  const nobody = 'http://127.0.0.1:9'
  const child = spawn(program, options.flat(), {
    cwd,
    env: { PATH, HOME: cwd, http_proxy: nobody, https_proxy: nobody, no_proxy: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  ending.after(() => child.kill('SIGKILL'))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return { status: child.exitCode, output: stdout + stderr }
}
