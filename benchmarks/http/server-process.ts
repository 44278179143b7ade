import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Entrant } from './contests.ts'
import type { Pin } from '../method/pinning.ts'

/** What a server process has used since it started. */
export interface Usage {
  readonly cpuMicros: number
  readonly rssBytes: number
}

/** A server under test in its own process, listening on 127.0.0.1. */
export class ServerProcess {
  readonly entrant: Entrant
  readonly origin: string
  /** From the spawn to the open port. */
  readonly startUpMs: number
  readonly #child: ChildProcess

  private constructor(entrant: Entrant, origin: string, startUpMs: number, child: ChildProcess) {
    this.entrant = entrant
    this.origin = origin
    this.startUpMs = startUpMs
    this.#child = child
  }

  /**
   * Starts the server of an entrant and waits until its port is open.
   * @throws Error when the process ends before that.
   */
  static async start(entrant: Entrant, serversFolder: string, pin: Pin): Promise<ServerProcess> {
    const port = await freePort()
    const [command = process.execPath, ...args] = pin([
      process.execPath,
      `${serversFolder}/${entrant.server}.js`,
      String(port),
      entrant.scenario,
      ...(entrant.optimized ? ['optimized'] : []),
    ])
    const startedMs = performance.now()
    const child = spawn(command, args, {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    await answer(child, entrant, (message) => message === 'ready')
    const startUpMs = performance.now() - startedMs
    return new ServerProcess(entrant, `http://127.0.0.1:${port}`, startUpMs, child)
  }

  /** Asks the process for its CPU time and memory. */
  async usage(): Promise<Usage> {
    this.#child.send('usage')
    return answer(this.#child, this.entrant, isUsage)
  }

  /** Ends the process and waits until it has exited. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

function answer<Answer>(
  child: ChildProcess,
  entrant: Entrant,
  expected: (message: unknown) => message is Answer,
): Promise<Answer>
function answer(
  child: ChildProcess,
  entrant: Entrant,
  expected: (message: unknown) => boolean,
): Promise<unknown>
function answer(
  child: ChildProcess,
  entrant: Entrant,
  expected: (message: unknown) => boolean,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // Adonis sends messages of its own over the channel; those are passed over
  const read = (message: unknown): void => {
    if (expected(message)) resolve(message)
  }
  const end = (code: number | null): void => {
    reject(new Error(`the server of "${entrant.label}" ended with status ${code} unexpectedly`))
  }
  child.on('message', read).once('exit', end).once('error', reject)
  return promise.finally(() => child.off('message', read).off('exit', end).off('error', reject))
}

function isUsage(message: unknown): message is Usage {
  return typeof message === 'object' && message !== null && 'cpuMicros' in message
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port was given')
  return address.port
}
