import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'

/**
 * The shell waits for the end of its input, which comes when this process ends, even by SIGKILL;
 * then it ends the program and removes the folder. The program may end earlier. The shell's own
 * output is discarded: writing to a process that has ended would kill it too early.
 */
const guard = `
signal=$1; folder=$2; shift 2
"$@" </dev/null & program=$!
word=$(cat)
exec 2>/dev/null
kill -$signal $program
wait $program
[ "$word" = keep ] || rm -rf "$folder"
`

/** Options of a guarded program. */
export interface GuardOptions {
  /** The user to run as; database servers refuse to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The signal that ends it. Programs without a handler ignore QUIT. @default QUIT */
  readonly signal?: 'QUIT' | 'TERM' | 'KILL' | undefined
  /** Working folder of the program, removed at the end. */
  readonly folder: string
}

/** A program that cannot outlive this process and does not keep it alive. */
export class GuardedProcess {
  readonly #shell: ChildProcess
  readonly #ended: Promise<unknown>
  #errors = ''

  constructor(program: string, parameters: readonly string[], options: GuardOptions) {
    const { user = {}, env = {}, signal = 'QUIT', folder } = options
    const { PATH = '' } = process.env
    this.#shell = spawn('sh', ['-c', guard, 'guard', signal, folder, program, ...parameters], {
      ...user,
      cwd: '/',
      env: { PATH, ...env },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    this.#shell.unref()
    for (const stream of [this.#shell.stdin, this.#shell.stderr]) {
      if (stream instanceof Socket) stream.unref()
    }
    this.#shell.stderr?.on('data', (chunk) => {
      this.#errors = (this.#errors + String(chunk)).slice(-4_000)
    })
    this.#ended = once(this.#shell, 'exit')
  }

  /** The last part of its error output. */
  get errors(): string {
    return this.#errors
  }

  /** Sends the program its signal and resolves when it has ended; with `keep` its folder stays. */
  async end(keep?: 'keep'): Promise<void> {
    this.#shell.ref()
    this.#shell.stdin?.end(keep)
    await this.#ended
  }
}
