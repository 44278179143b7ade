import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Cleanup } from './cleanup.ts'

/** The result of a scanner process. */
export interface ScannerEnd {
  readonly status: number | null
  /** Its complete output. */
  readonly output: string
}

/**
 * Runs a scanner in its own folder until it ends; each option is a list with its value. It cannot
 * reach anything but loopback.
 */
export async function runScanner(
  cleanup: Cleanup,
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
  cleanup.after(() => child.kill('SIGKILL'))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return { status: child.exitCode, output: stdout + stderr }
}
