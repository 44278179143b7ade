import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Pin } from './pinning.ts'

/** Options of a process. */
export interface AskedOptions {
  /** Its name in errors. */
  readonly label: string
  readonly pin: Pin
  readonly env?: Readonly<Record<string, string>>
  /** Whether what it prints is thrown away: a log, for example. @default false */
  readonly silent?: boolean
}

/** A script in its own process, which shares neither garbage nor compiled code. */
export class AskedProcess {
  readonly #label: string
  readonly #child: ChildProcess

  private constructor(label: string, child: ChildProcess) {
    this.#label = label
    this.#child = child
  }

  /**
   * Starts a script and waits until it says `'ready'`. Messages may hold dates and bigints.
   * @throws Error when the process ends before that.
   */
  static async start(
    script: string,
    parameters: readonly string[],
    { label, pin, env = {}, silent = false }: AskedOptions,
  ): Promise<AskedProcess> {
    const run = [process.execPath, script, ...parameters]
    const [command = process.execPath, ...args] = pin(run)
    const child = spawn(command, args, {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['ignore', silent ? 'ignore' : 2, 2, 'ipc'],
      serialization: 'advanced',
    })
    const asked = new AskedProcess(label, child)
    await asked.#answer((message): message is 'ready' => message === 'ready')
    return asked
  }

  /**
   * Sends a message and waits for the answer.
   * @throws Error when the process ends without one.
   */
  ask<Answer>(
    message: string | number | object,
    expected: (answer: unknown) => answer is Answer,
  ): Promise<Answer> {
    this.#child.send(message)
    return this.#answer(expected)
  }

  /** Ends the process and waits until it has exited. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  #answer<Answer>(expected: (message: unknown) => message is Answer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const child = this.#child
    const read = (message: unknown): void => {
      if (expected(message)) resolve(message)
    }
    const end = (code: number | null): void => {
      reject(new Error(`${this.#label} ended with status ${code} unexpectedly`))
    }
    child.on('message', read).once('exit', end).once('error', reject)
    return promise.finally(() => child.off('message', read).off('exit', end).off('error', reject))
  }
}
