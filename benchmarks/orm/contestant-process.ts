import { deepStrictEqual } from 'node:assert/strict'
import { AskedProcess } from '../method/asked-process.ts'
import type { Pin } from '../method/pinning.ts'
import type { Order, Sample } from './contestant.ts'
import { clients, type Clients, type Contests, databases, type Databases } from './contests.ts'
import type { ShownPage } from './shown-pages.ts'
import type { Stage } from './stages/stage.ts'

/** A library, connected to a database, in its own process. */
export class ContestantProcess {
  readonly client: Clients
  readonly #process: AskedProcess

  private constructor(client: Clients, process: AskedProcess) {
    this.client = client
    this.#process = process
  }

  /** @throws Error when the process ends before it is connected. */
  static async start(client: Clients, stage: Stage, pin: Pin): Promise<ContestantProcess> {
    const script = `${import.meta.dirname}/contestant.ts`
    const { database, url, rows } = stage
    const started = await AskedProcess.start(script, [database, client, String(rows)], {
      label: `${clients[client]} on ${databases[database]}`,
      pin,
      env: { ORM_BENCHMARK_URL: url },
    })
    return new ContestantProcess(client, started)
  }

  /** @throws Error that shows the difference when a page is not as it has to be. */
  async check(expected: readonly ShownPage[], database: Databases): Promise<void> {
    const shown = await this.#process.ask('show', isShown)
    for (const [at, page] of expected.entries()) {
      const label = `${clients[this.client]} on ${databases[database]}, ${page.title}`
      compare(label, shown[at], page)
    }
  }

  /** What a page of a contest takes, over so many of them. */
  play(contest: Contests, pages: number): Promise<Sample> {
    const order: Order = { contest, pages }
    return this.#process.ask(order, isSample)
  }

  /** Ends the process and waits until it has exited. */
  stop(): Promise<void> {
    return this.#process.stop()
  }
}

function compare(label: string, shown: ShownPage | undefined, expected: ShownPage): void {
  try {
    deepStrictEqual(shown, expected)
  } catch (error) {
    const difference = error instanceof Error ? error.message : String(error)
    throw new Error(`${label}: ${difference}`, { cause: error })
  }
}

function isSample(message: unknown): message is Sample {
  return typeof message === 'object' && message !== null && 'latencyMicros' in message
}

function isShown(message: unknown): message is readonly ShownPage[] {
  return Array.isArray(message)
}
