import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { reportFlags } from '../../../base/crash-reports/enable-crash-reports.ts'
import { ConfigurationError } from '../../../base/errors.ts'
import type { Listening } from '../engine/engine.ts'
import { passOnConnections } from './pass-on-connections.ts'
import type { ServerLog } from '../server-log.ts'
import type { WorkerIdentity } from './worker-events.ts'
import { parseReport, reportsVariable, slotVariable } from './worker-messages.ts'
import type { DrainMessage } from './worker-messages.ts'

/** How a fleet is run. */
export interface FleetOptions {
  readonly workers: number
  /** Seconds a worker gets to finish what is in flight. */
  readonly drainTimeout: number
  /** Where workers leave diagnostic reports; null when nowhere. */
  readonly reports: string | null
  /** Is told of every worker that was made, before it can serve. */
  readonly forked: (worker: WorkerIdentity) => void
  /** Is told of every worker that has ended, wanted or not. */
  readonly ended: (worker: WorkerIdentity) => void
  /** Is told of deaths, replacements and restarts. */
  readonly log: ServerLog
}

interface Member {
  readonly slot: number
  readonly worker: Worker
  /** When it began to serve; null before that. */
  servedMs: number | null
  /** Resolves when it serves; rejects when it dies or fails before that. */
  readonly serving: Promise<Listening>
  readonly gone: Promise<void>
  /** Its end is wanted, so nobody replaces it. */
  leaving: boolean
}

/** A worker that serves for less than this counts as a quick death, and the next waits longer. */
const quickDeathMs = 5000
const firstBackoffMs = 100
const maxBackoffMs = 10_000
/** A worker that does not serve after this long is given up. */
const startTimeoutMs = 30_000
/** After `drainTimeout` a worker gets this long to leave before it is killed. */
const killDelayMs = 2000

/** The workers of one server, seen from the primary: keeps every place in the fleet filled. */
export class Fleet {
  readonly #options: FleetOptions
  /** Who holds each place. */
  readonly #members = new Map<number, Member>()
  /** Every worker that has not ended, also those that gave their place to a new one. */
  readonly #living = new Set<Member>()
  readonly #quickDeaths = new Map<number, number>()
  #started = false
  #stopping = false
  #warned = false
  #restarting: Promise<unknown> = Promise.resolve()
  #queued: Promise<void> | null = null

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** Process ids of the workers by place. */
  pids(): ReadonlyMap<number, number> {
    return new Map([...this.#members].map(([slot, { worker }]) => [slot, worker.process.pid ?? 0]))
  }

  /**
   * Forks every worker and resolves once all of them serve.
   * @throws ConfigurationError with the worker's own words when one does not come up.
   */
  start(): Promise<Listening> {
    const starting = this.#startAll()
    // A restart that is asked for meanwhile comes after it.
    this.#restarting = Promise.allSettled([starting])
    return starting
  }

  /** Replaces all workers, one after another: a new one serves before the old one leaves. */
  restart(): Promise<void> {
    // A wish that comes during a restart may be about newer code, so another one follows.
    this.#queued ??= this.#restarting.then(() => {
      this.#queued = null
      const restart = this.#restartEach()
      this.#restarting = restart.catch(() => {})
      return restart
    })
    return this.#queued
  }

  /** Lets every worker take requests for `delay` more seconds, finish what is in flight and leave. */
  async stop(delay = 0): Promise<void> {
    this.#stopping = true
    await Promise.all([...this.#living].map((member) => this.#dismiss(member, delay)))
  }

  async #startAll(): Promise<Listening> {
    const members = Array.from({ length: this.#options.workers }, (_, at) => this.#fork(at + 1))
    const outcomes = await Promise.allSettled(members.map((member) => member.serving))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        await this.stop()
        throw new ConfigurationError(
          'E_WORKER_START',
          String(outcome.reason?.message ?? outcome.reason),
        )
      }
    }
    const [first] = outcomes
    if (first?.status !== 'fulfilled')
      throw new ConfigurationError('E_WORKER_START', 'the fleet is empty')
    this.#started = true
    // One that died while others were starting left its place empty.
    for (const { slot } of members) this.#fill(slot)
    return first.value
  }

  async #restartEach(): Promise<void> {
    if (this.#stopping) return
    this.#options.log('restarting workers', { workers: this.#members.size }, 'info')
    for (const slot of Array.from(this.#members.keys())) {
      const old = this.#members.get(slot)
      if (this.#stopping) return
      // It has just died, so that a new one is on its way.
      if (old === undefined) continue
      const fresh = this.#fork(slot)
      try {
        await fresh.serving
      } catch (reason) {
        // If the old one has died as well, the place is filled again when the new one ends.
        if (this.#living.has(old)) this.#members.set(slot, old)
        void this.#awaitEnd(fresh, killDelayMs)
        const context = { slot, reason: String(reason) }
        this.#options.log('restart given up: the new worker does not come up', context, 'error')
        return
      }
      await this.#dismiss(old, 0)
    }
    this.#options.log('workers restarted', {}, 'info')
  }

  #fork(slot: number): Member {
    const worker = forkWorker(slot, this.#options.reports)
    const { pid } = worker.process
    if (pid !== undefined) this.#options.forked({ slot, pid })
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const member: Member = {
      slot,
      worker,
      servedMs: null,
      serving: serving(worker),
      gone,
      leaving: false,
    }
    // Whoever waits for it sees the failure; nobody waiting is no reason to crash.
    member.serving.then(() => (member.servedMs = Date.now())).catch(() => {})
    this.#members.set(slot, member)
    this.#living.add(member)
    worker.once('exit', (code, signal) => this.#onExit(member, code, signal))
    if (worker.isConnected()) {
      const heir = (): Worker | undefined => this.#connected()
      passOnConnections(worker, { heir, onUnknown: (name) => this.#warnOfMessage(name) })
    }
    worker.on('error', (error) => {
      const context = { slot, reason: error.message }
      this.#options.log('a worker cannot be made or reached', context, 'error')
      // A process that was never made does not end either.
      if (worker.process.pid === undefined) worker.emit('exit', -1, '')
    })
    return member
  }

  #warnOfMessage(message: string): void {
    if (this.#warned) return
    this.#warned = true
    const cost = 'a connection that is on its way to a worker when it dies is lost'
    const context = { message, cost, node: process.version }
    this.#options.log('the cluster messages of this Node are not known', context, 'warn')
  }

  #connected(): Worker | undefined {
    return [...this.#living].map(({ worker }) => worker).find((worker) => worker.isConnected())
  }

  #onExit(member: Member, code: number, signal: string): void {
    const { slot, worker } = member
    const { pid } = worker.process
    this.#living.delete(member)
    if (pid !== undefined) this.#options.ended({ slot, pid })
    if (this.#members.get(slot) !== member) return
    this.#members.delete(slot)
    if (member.leaving || this.#stopping || !this.#started) return
    const { servedMs } = member
    const quick = servedMs === null || Date.now() - servedMs < quickDeathMs
    const deaths = quick ? (this.#quickDeaths.get(slot) ?? 0) + 1 : 1
    this.#quickDeaths.set(slot, deaths)
    const delayMs = deaths === 1 ? 0 : Math.min(maxBackoffMs, firstBackoffMs * 2 ** (deaths - 2))
    const context = { slot, pid, code, signal, delayMs }
    this.#options.log('worker died and is replaced', context, 'warn')
    setTimeout(() => this.#fill(slot), delayMs)
  }

  #fill(slot: number): void {
    if (!this.#stopping && !this.#members.has(slot)) this.#fork(slot)
  }

  async #dismiss(member: Member, delay: number): Promise<void> {
    // Before it serves, a worker does not hear; one that fails ends by itself.
    if (!member.leaving)
      member.serving.then(() => tellToLeave(member.worker, delay)).catch(() => {})
    member.leaving = true
    await this.#awaitEnd(member, (delay + this.#options.drainTimeout) * 1000 + killDelayMs)
  }

  // A worker that does not leave in time is killed.
  async #awaitEnd({ worker, gone }: Member, delayMs: number): Promise<void> {
    const killer = setTimeout(() => worker.process.kill('SIGKILL'), delayMs)
    await gone
    clearTimeout(killer)
  }
}

function forkWorker(slot: number, reports: string | null): Worker {
  const place = { [slotVariable]: String(slot) }
  if (reports === null) return cluster.fork(place)
  const { execArgv = process.execArgv } = cluster.settings
  const missing = reportFlags.filter((flag) => !execArgv.includes(flag))
  if (missing.length > 0) cluster.setupPrimary({ execArgv: [...execArgv, ...missing] })
  return cluster.fork({ ...place, [reportsVariable]: reports })
}

function tellToLeave(worker: Worker, delay: number): void {
  const message: DrainMessage = { type: 'framework:drain', delay }
  if (worker.isConnected()) worker.send(message)
  else worker.process.kill('SIGTERM')
}

function serving(worker: Worker): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`a worker did not serve within ${startTimeoutMs / 1000} s`))
      worker.process.kill('SIGKILL')
    }, startTimeoutMs)
    worker.on('message', (message: unknown) => {
      const report = parseReport(message)
      if (report === null) return
      clearTimeout(timer)
      if (report.type === 'framework:serving') resolve(report)
      else reject(new Error(report.message))
    })
    worker.once('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`a worker ended before it served (${signal ?? `exit status ${code}`})`))
    })
  })
}
