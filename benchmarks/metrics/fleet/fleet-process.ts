import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clients, type Clients, Contests } from '../contests.ts'
import type { Player } from '../play-contest.ts'
import { fleetCounter, fleetSeries, fleetWorkers } from './workload.ts'

/** A fleet of workers that is scraped over HTTP. */
export class FleetProcess implements Player {
  readonly client: Clients
  /** The longest block of the event loop that answered, one for each burst of scrapes, in ms. */
  readonly blocksMs: number[] = []
  readonly #origin: string
  readonly #child: ChildProcess
  readonly #folder: string
  // One connection: the worker that answers is the one that is asked how long it was held.
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  private constructor(client: Clients, origin: string, child: ChildProcess, folder: string) {
    this.client = client
    this.#origin = origin
    this.#child = child
    this.#folder = folder
  }

  /** @throws Error when the fleet ends before it serves. */
  static async start(client: Clients): Promise<FleetProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'framework-fleet-'))
    const port = await freePort()
    const script = client === 'ours' ? 'ours.ts' : 'prometheus-clients.ts'
    const child = spawn(
      process.execPath,
      [`${import.meta.dirname}/${script}`, String(port), client === 'ours' ? folder : client],
      { env: { ...process.env, NODE_ENV: 'production' }, stdio: ['ignore', 2, 2, 'ipc'] },
    )
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the fleet of ${clients[client]} ended unexpectedly`)
    })
    await Promise.race([once(child, 'message'), ended])
    const fleet = new FleetProcess(client, `http://127.0.0.1:${port}`, child, folder)
    await fleet.#prove()
    return fleet
  }

  /** Nanoseconds that one scrape takes on average. */
  async work(contest: Contests, times: number): Promise<number> {
    await this.#get('/block')
    let nanoseconds = 0
    for (let at = 0; at < times; at++) {
      if (contest === Contests.FreshFleetScrape) await this.#renewFiles()
      const beganMs = performance.now()
      await this.#get('/metrics')
      nanoseconds += (performance.now() - beganMs) * 1e6
    }
    this.blocksMs.push(Number(await this.#get('/block')))
    await this.#prove()
    return nanoseconds / times
  }

  /** Ends the fleet and waits until it has exited. */
  async stop(): Promise<void> {
    this.#agent.destroy()
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM')
      await once(this.#child, 'exit')
    }
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** @throws Error unless every worker is in every series. */
  async #prove(): Promise<void> {
    const text = await this.#get('/metrics')
    const lines = text.split('\n').filter((line) => line.startsWith(`${fleetCounter}{`))
    const total = lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    // Series number n has the value n in each worker.
    const expected = (fleetWorkers * fleetSeries * (fleetSeries - 1)) / 2
    if (lines.length !== fleetSeries || total !== expected) {
      throw new Error(`${clients[this.client]}: ${lines.length} series with ${total}`)
    }
  }

  /** Writes the files as their workers do every ten seconds; the others ask their workers anyway. */
  async #renewFiles(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      // Beside the snapshots lie the list and the lock of the server.
      if (!name.endsWith('.json')) continue
      const path = join(this.#folder, name)
      await copyFile(path, `${path}.new`)
      await rename(`${path}.new`, path)
    }
  }

  #get(path: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    get(this.#origin + path, { agent: this.#agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () => resolve(text)).once('error', reject)
    }).once('error', reject)
    return promise
  }
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
