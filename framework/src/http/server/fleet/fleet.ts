import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { reportFlags } from '../../../errors/crash-reports/enable-crash-reports.ts'
import { ConfigurationError } from '../../../base/errors.ts'
import type { Listening } from '../engine/engine.ts'
import { passOnConnections } from './pass-on-connections.ts'
import type { ServerLog } from '../server-host.ts'
import type { WorkerIdentity } from './worker-events.ts'
import { isWorkerReport, reportsVariable, slotVariable } from './workers.ts'
import type { DrainMessage } from './workers.ts'

interface FleetOptions {
  readonly workers: number
  /** Seconds for which requests in flight may finish. */
  readonly drainTimeout: number
  /** Where workers write diagnostic reports; null for nowhere. */
  readonly reports: string | null
  /** Called for every forked worker, before it serves. */
  readonly forked: (worker: WorkerIdentity) => void
  /** Called for every worker that has ended, intentionally or not. */
  readonly ended: (worker: WorkerIdentity) => void
  /** Logs deaths, replacements and restarts. */
  readonly log: ServerLog
}

interface Member {
  readonly slot: number
  readonly worker: Worker
  /** When it started serving; null before that. */
  servedMs: number | null
  /** Resolves when it receives messages, which is before it listens. */
  readonly reachable: Promise<void>
  /** Resolves when it serves; rejects if it dies or fails before that. */
  readonly serving: Promise<Listening>
  readonly gone: Promise<void>
  /** Whether its end is intended, so that it is not replaced. */
  leaving: boolean
}

/** If a worker dies sooner than this, the delay before its replacement grows. */
const quickDeathMs = 5000
const firstBackoffMs = 100
const maxBackoffMs = 10_000
/** A worker that does not serve after this time has failed to start. */
const startTimeoutMs = 30_000
/** A worker that has not exited this long after `drainTimeout` is killed. */
const killDelayMs = 2000

/** The workers of a server, managed by the primary: keeps every slot filled. */
export class Fleet {
  readonly #options: FleetOptions
  /** The current worker of each slot. */
  readonly #members = new Map<number, Member>()
  /** Every worker that has not ended, including those already replaced. */
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

  /**
   * Forks every worker and resolves when all of them serve.
   * @throws ConfigurationError with the message of a worker that fails to start.
   */
  start(): Promise<Listening> {
    const starting = this.#startAll()
    // A restart requested in the meantime follows.
    this.#restarting = Promise.allSettled([starting])
    return starting
  }

  /** Replaces the workers one after another: each new one serves before the old one stops. */
  restart(): Promise<void> {
    // A request during a restart may be about newer code, so another restart follows.
    this.#queued ??= this.#restarting.then(() => {
      this.#queued = null
      const restart = this.#restartEach()
      this.#restarting = restart.catch(() => {})
      return restart
    })
    return this.#queued
  }

  /** Makes every worker accept requests for `delay` more seconds, finish those in flight and exit. */
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
    // A worker that died while others were starting has left its slot empty.
    for (const { slot } of members) this.#fill(slot)
    return first.value
  }

  async #restartEach(): Promise<void> {
    if (this.#stopping) return
    this.#options.log('restarting workers', { workers: this.#members.size }, 'info')
    for (const slot of Array.from(this.#members.keys())) {
      const old = this.#members.get(slot)
      if (this.#stopping) return
      // It has just died, so a replacement is already starting.
      if (old === undefined) continue
      const fresh = this.#fork(slot)
      try {
        await fresh.serving
      } catch (reason) {
        // If the old one has died as well, the slot is filled again when the new one ends.
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
      ...startOf(worker),
      gone,
      leaving: false,
    }
    // Callers see the rejection; without a caller it must not crash the process.
    member.serving.then(() => (member.servedMs = Date.now())).catch(() => {})
    this.#members.set(slot, member)
    this.#living.add(member)
    worker.once('exit', (code, signal) => this.#onExit(member, code, signal))
    if (worker.isConnected()) {
      const heir = (): Worker | undefined => [...this.#living].find(mayInherit)?.worker
      passOnConnections(worker, { heir, onUnknown: (name) => this.#warnOfMessage(name) })
    }
    worker.on('error', (error) => {
      const context = { slot, reason: error.message }
      this.#options.log('a worker cannot be made or reached', context, 'error')
      // A process that was never created does not emit 'exit' either.
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
    // One that is still starting is told before it listens, so that it is never ready; one that fails exits
    // by itself.
    if (!member.leaving) void member.reachable.then(() => tellToLeave(member.worker, delay))
    member.leaving = true
    await this.#awaitEnd(member, (delay + this.#options.drainTimeout) * 1000 + killDelayMs)
  }

  // A worker that does not exit in time is killed.
  async #awaitEnd({ worker, gone }: Member, delayMs: number): Promise<void> {
    const killer = setTimeout(() => worker.process.kill('SIGKILL'), delayMs)
    await gone
    clearTimeout(killer)
  }
}

/** One that does not listen declines, and Node would give the connection to workers that are gone. */
function mayInherit({ worker, servedMs, leaving }: Member): boolean {
  return servedMs !== null && !leaving && worker.isConnected()
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

function startOf(worker: Worker): Pick<Member, 'reachable' | 'serving'> {
  const reachable = Promise.withResolvers<void>()
  const serving = Promise.withResolvers<Listening>()
  const timer = setTimeout(() => {
    serving.reject(new Error(`a worker did not serve within ${startTimeoutMs / 1000} s`))
    worker.process.kill('SIGKILL')
  }, startTimeoutMs)
  worker.on('message', (message: unknown) => {
    if (!isWorkerReport(message)) return
    if (message.type === 'framework:reachable') return reachable.resolve()
    clearTimeout(timer)
    if (message.type === 'framework:serving') serving.resolve(message)
    else serving.reject(new Error(message.message))
  })
  worker.once('exit', (code, signal) => {
    clearTimeout(timer)
    const how = signal ?? `exit status ${code}`
    serving.reject(new Error(`a worker ended before it served (${how})`))
  })
  return { reachable: reachable.promise, serving: serving.promise }
}
