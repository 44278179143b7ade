import { AskedProcess } from '../method/asked-process.ts'
import type { Pin } from '../method/pinning.ts'
import type { Order, Took } from './contestant.ts'
import { clients, type Clients, type Contests } from './contests.ts'
import type { Player } from './play-contest.ts'

/** A library in its own process. */
export class ContestantProcess implements Player {
  readonly client: Clients
  readonly #process: AskedProcess

  private constructor(client: Clients, process: AskedProcess) {
    this.client = client
    this.#process = process
  }

  /** @throws Error when the process ends before it is ready. */
  static async start(client: Clients, pin: Pin): Promise<ContestantProcess> {
    const script = `${import.meta.dirname}/contestant.ts`
    const options = { label: clients[client], pin }
    return new ContestantProcess(client, await AskedProcess.start(script, [client], options))
  }

  /** Nanoseconds that one piece of work takes on average. */
  async work(contest: Contests, times: number): Promise<number> {
    const order: Order = { contest, times }
    const { nanoseconds } = await this.#process.ask(order, isTook)
    return nanoseconds / times
  }

  /** Ends the process and waits until it has exited. */
  stop(): Promise<void> {
    return this.#process.stop()
  }
}

function isTook(message: unknown): message is Took {
  return typeof message === 'object' && message !== null && 'nanoseconds' in message
}
