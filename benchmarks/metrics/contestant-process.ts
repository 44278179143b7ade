import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Pin } from '../http/pinning.ts'
import type { Order, Took } from './contestant.ts'
import { clients, type Clients, type Contests } from './contests.ts'
import type { Player } from './play-contest.ts'

/** A library in a process of its own: its garbage and its compiled code are nobody else's. */
export class ContestantProcess implements Player {
  readonly client: Clients
  readonly #child: ChildProcess

  private constructor(client: Clients, child: ChildProcess) {
    this.client = client
    this.#child = child
  }

  /** @throws Error when the process ends before it is ready. */
  static async start(client: Clients, pin: Pin): Promise<ContestantProcess> {
    const script = `${import.meta.dirname}/contestant.ts`
    const [command = process.execPath, ...args] = pin([process.execPath, script, client])
    const child = spawn(command, args, {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    const contestant = new ContestantProcess(client, child)
    await contestant.#answer((message): message is 'ready' => message === 'ready')
    return contestant
  }

  /** Nanoseconds that one piece of work takes on average. */
  async work(contest: Contests, times: number): Promise<number> {
    const order: Order = { contest, times }
    this.#child.send(order)
    const { nanoseconds } = await this.#answer(isTook)
    return nanoseconds / times
  }

  /** Ends the process and waits until it is gone. */
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
      reject(new Error(`${clients[this.client]} ended with status ${code} unexpectedly`))
    }
    child.on('message', read).once('exit', end).once('error', reject)
    return promise.finally(() => child.off('message', read).off('exit', end).off('error', reject))
  }
}

function isTook(message: unknown): message is Took {
  return typeof message === 'object' && message !== null && 'nanoseconds' in message
}
