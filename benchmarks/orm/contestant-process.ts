import { deepStrictEqual } from 'node:assert/strict'
import { AskedProcess } from '../method/asked-process.ts'
import type { Pin } from '../method/pinning.ts'
import type { Order, Sample } from './contestant.ts'
import { expectedBlog, expectedTables, type ShownBlog } from './blog/shown-blog.ts'
import { resetStatements } from './blog/blog-data.ts'
import {
  clients,
  type Clients,
  type Contests,
  databases,
  type Databases,
  type Suites,
} from './contests.ts'
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
  static async start(
    suite: Suites,
    client: Clients,
    stage: Stage,
    pin: Pin,
  ): Promise<ContestantProcess> {
    const script = `${import.meta.dirname}/contestant.ts`
    const { database, url, rows } = stage
    const started = await AskedProcess.start(script, [suite, database, client, String(rows)], {
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

  /**
   * Lets it do everything with the tables of the blog once.
   * @throws Error that shows the difference when an answer, or what it wrote, is not as it has to be.
   */
  async checkBlog(stage: Stage): Promise<void> {
    for (const statement of resetStatements()) await stage.run(statement)
    const shown = await this.#process.ask('show', isShownBlog)
    const hasUpsertMany = shown['upsertMany'] !== 'none'
    const label = `${clients[this.client]} on ${databases[stage.database]}`
    compare(label, shown, expectedBlog(hasUpsertMany))
    for (const [statement, expected] of Object.entries(expectedTables(hasUpsertMany))) {
      compare(`${label}, ${statement}`, await stage.run(statement), expected)
    }
  }

  /** What a contest takes, over so many times; null when the library takes no part in it. */
  async play(contest: Contests, pages: number): Promise<Sample | null> {
    const order: Order = { contest, pages }
    const answer = await this.#process.ask(order, isSampleOrAbsent)
    return answer === 'absent' ? null : answer
  }

  /** Ends the process and waits until it has exited. */
  stop(): Promise<void> {
    return this.#process.stop()
  }
}

function compare(label: string, shown: unknown, expected: unknown): void {
  try {
    deepStrictEqual(shown, expected)
  } catch (error) {
    const difference = error instanceof Error ? error.message : String(error)
    throw new Error(`${label}: ${difference}`, { cause: error })
  }
}

function isSampleOrAbsent(message: unknown): message is Sample | 'absent' {
  if (message === 'absent') return true
  return typeof message === 'object' && message !== null && 'latencyMicros' in message
}

function isShownBlog(message: unknown): message is ShownBlog {
  return typeof message === 'object' && message !== null && 'feed' in message
}

function isShown(message: unknown): message is readonly ShownPage[] {
  return Array.isArray(message)
}
