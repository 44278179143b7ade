import type { Profiler } from 'node:inspector'
import { freePort } from '../../framework/tests/support/free-port.ts'
import { AskedProcess } from '../method/asked-process.ts'
import type { LoadRequest } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { type Entrant, startFile } from './entrants.ts'
import { probe } from './probe.ts'
import { sharesOf, type Shares } from './profile.ts'
import type { PlantedDatabase, Stage } from './stage.ts'
import type { Task } from './tasks.ts'
import { type Place, requestOf } from './visit.ts'

/** What a process has used since it started. */
export interface Usage {
  readonly cpuMicros: number
  /** Of its main thread alone. */
  readonly threadMicros: number
  readonly rss: number
}

/** A server under test in its own process, with a database of its own. */
export class ServerProcess implements Place {
  readonly entrant: Entrant
  readonly origin: string
  readonly token: string
  readonly #task: Task
  readonly #stage: Stage
  readonly #process: AskedProcess

  private constructor(
    entrant: Entrant,
    task: Task,
    place: Place,
    stage: Stage,
    process: AskedProcess,
  ) {
    this.entrant = entrant
    this.origin = place.origin
    this.token = place.token
    this.#task = task
    this.#stage = stage
    this.#process = process
  }

  /** @throws Error when the process ends before its port is open. */
  static async start(
    entrant: Entrant,
    task: Task,
    stage: Stage,
    { folder, pin }: { readonly folder: string; readonly pin: Pin },
  ): Promise<ServerProcess> {
    const port = await freePort()
    const database = await stage.newDatabase(task.database)
    const env = await environmentOf(task, database, stage)
    const process = await AskedProcess.start(startFile(folder, entrant, 'js'), [String(port)], {
      label: entrant.label,
      pin,
      env,
      silent: true,
    })
    const place = { origin: originOf(task, port), token: database.token }
    return new ServerProcess(entrant, task, place, stage, process)
  }

  /** Visits the server as the task wants it, and resolves with the request that is measured. */
  request(): Promise<LoadRequest> {
    return requestOf(this.#task, this, this.#stage)
  }

  /**
   * Asks once as the load will, and compares the answer, so that only equal work is compared.
   * @throws Error that names the difference.
   */
  async probe(request: LoadRequest): Promise<void> {
    try {
      await probe(this.#task, this, request)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`${this.entrant.label}, ${this.#task.name}: ${reason}`, { cause: error })
    }
  }

  usage(): Promise<Usage> {
    return this.#process.ask('usage', isUsage)
  }

  /** What its CPU is spent on while `load` lasts. */
  async profile(load: () => Promise<unknown>): Promise<Shares> {
    await this.#process.ask('profile', (answer): answer is 'profiling' => answer === 'profiling')
    await load()
    const { profile } = await this.#process.ask('profiled', isProfile)
    return sharesOf(profile)
  }

  /** Ends the process and waits until it has exited. */
  stop(): Promise<void> {
    return this.#process.stop()
  }
}

/** The variables that tell a server what the task wants. */
export async function environmentOf(
  { sessions, tls }: Task,
  { url }: PlantedDatabase,
  stage: Stage,
): Promise<Readonly<Record<string, string>>> {
  return {
    NODE_ENV: 'production',
    PRODUCT_DATABASE: url,
    PRODUCT_SESSIONS: sessions,
    PRODUCT_REDIS: stage.redis,
    PRODUCT_TLS: tls ? stage.tls : '',
    PRODUCT_FOLDER: await stage.newFolder(),
  }
}

/** Where a server of the task is. */
export function originOf({ tls }: Task, port: number): string {
  return `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
}

function isProfile(message: unknown): message is Profiler.StopReturnType {
  return typeof message === 'object' && message !== null && 'profile' in message
}

function isUsage(message: unknown): message is Usage {
  return typeof message === 'object' && message !== null && 'cpuMicros' in message
}
