import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Cleanup } from './cleanup.ts'
import { waitFor } from './wait-for.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'framework.js')

/** Options of a command. */
export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What it reads from stdin. @default nothing */
  readonly input?: string
  /** The program to run. @default the command of this repository, from its sources */
  readonly program?: readonly string[]
  /** The user to run as, which only root may choose. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** A `framework` command in its own process, killed after the test if it still runs. */
export class RunningCommand {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  #closed = false

  constructor(t: Cleanup, args: readonly string[], options: CommandOptions = {}) {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env
    const program = options.program ?? ['--conditions=source', bin]
    this.child = spawn(process.execPath, [...program, ...args], {
      cwd: options.cwd ?? import.meta.dirname,
      // On a busy machine any statement can be slow, and tests compare all that a command prints.
      env: {
        PATH,
        HOME,
        NODE_COMPILE_CACHE,
        NODE_OPTIONS,
        SLOW_QUERY_MS: '0',
        ...options.env,
      },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...options.user,
    })
    this.child.stdin?.end(options.input)
    this.child.stdout?.on('data', (chunk) => void (this.stdout += String(chunk)))
    this.child.stderr?.on('data', (chunk) => void (this.stderr += String(chunk)))
    this.child.once('close', () => void (this.#closed = true))
    t.after(() => this.child.kill('SIGKILL'))
  }

  /** Resolves with the `times`-th match of the expression in the output. */
  async said(expression: RegExp, times = 1): Promise<readonly string[]> {
    const every = new RegExp(expression.source, 'g')
    const missing = (): string => `${expression} in ${JSON.stringify(this.stdout + this.stderr)}`
    return waitFor(missing, () => {
      const found = [...(this.stdout + this.stderr).matchAll(every)]
      if (found.length >= times) return found[times - 1]?.slice(1)
      if (this.#closed) throw new Error(`the command ended without ${missing()}`)
      return undefined
    })
  }

  /** Resolves with the address of the `times`-th banner. */
  async url(times = 1): Promise<string> {
    const [url = ''] = await this.said(/ serves (https?:\S+) /, times)
    return url
  }

  /** Resolves with the exit status, or the signal's name, once the output is complete. */
  async end(): Promise<number | string | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'close')
    }
    return this.child.signalCode ?? this.child.exitCode
  }

  /** Sends SIGTERM and resolves with the exit status. */
  stop(): Promise<number | string | null> {
    this.child.kill('SIGTERM')
    return this.end()
  }
}

/** Runs a command until it ends. */
export async function runCommand(
  t: Cleanup,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{
  readonly status: number | string | null
  readonly stdout: string
  readonly stderr: string
}> {
  const command = new RunningCommand(t, args, options)
  const status = await command.end()
  return { status, stdout: command.stdout, stderr: command.stderr }
}
