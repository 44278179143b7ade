import { FrameworkError } from '../../base/errors.ts'
import type { Reporter, Throwables } from '../../base/throwables/throwables.ts'
import { toError } from '../../base/throwables/to-error.ts'
import type { Emitter } from '../../services/events/emitter.ts'
import type { Engine, Listening, Receiver, Traffic } from './engine/engine.ts'
import { warnOfMissingFields } from './engine/missing-fields.ts'
import { NodeEngine } from './engine/node-engine.ts'
import { Worker } from './fleet/worker-events.ts'
import { reportFailure, reportServing } from './fleet/worker-messages.ts'
import { leaveFleet, onDrain, reportsFolder, supervises, workerIdentity } from './fleet/workers.ts'
import type { CompleteOptions } from './options.ts'
import type { Readiness } from './readiness.ts'
import type { FleetHost } from './server-host.ts'
import type { ServerLog } from './server-log.ts'
import { onServerSignal } from './signals.ts'

/** Who is told what happens to a server. */
export interface LifecycleParts {
  readonly emitter: Emitter
  readonly throwables: Throwables
  readonly reporter: Reporter | null
  readonly log: ServerLog
  readonly readiness: Readiness
}

/** What a server starts with. */
export interface StartOptions {
  readonly options: CompleteOptions
  /** Builds what takes the requests; never called in the primary of a fleet. */
  readonly receiver: () => Receiver
  /** Whether SIGTERM, SIGINT and SIGUSR2 drain, stop and restart this server. */
  readonly signals: boolean
}

type Hook = () => unknown

/** What can be done with a server that has started: in this process, or in a fleet of workers. */
interface Running {
  /** Takes requests for `delay` more seconds, then finishes what is in flight. */
  stop(delay: number): Promise<void>
  restart(): Promise<void>
}

/** The life of a server from `listen()` to the end of its process: start, signals, drain, close. */
export class Lifecycle {
  readonly #parts: LifecycleParts
  readonly #serveHooks: Hook[] = []
  readonly #closers: Hook[] = []
  readonly #supervisors: ((fleet: FleetHost) => unknown)[] = []
  #engine: Engine | null = null
  #running: Running | null = null
  #closing: Promise<void> | null = null

  constructor(parts: LifecycleParts) {
    this.#parts = parts
  }

  /** Bytes on the wire since this process began to serve. */
  get traffic(): Traffic {
    return this.#engine?.traffic ?? { read: 0, written: 0 }
  }

  /** Calls back before this process accepts its first request; a promise is awaited. */
  onServe(hook: Hook): void {
    this.#serveHooks.push(hook)
  }

  /** Calls back when the server has closed, last added first. */
  onClose(closer: Hook): void {
    this.#closers.push(closer)
  }

  /** Calls back in the primary of a fleet, before it makes its workers. */
  onSupervise(supervisor: (fleet: FleetHost) => unknown): void {
    this.#supervisors.push(supervisor)
  }

  /** Serves, or leads the workers that do. @throws ListenError when the address cannot be had. */
  async start({ options, receiver, signals }: StartOptions): Promise<Listening> {
    if (this.#running !== null) {
      throw new FrameworkError('E_LISTENING', 'this server listens already; close it first')
    }
    const { length } = this.#closers
    // From here on, so that a signal during a slow start is obeyed too.
    if (signals) this.#obeySignals(options.drainDelay)
    this.#register()
    try {
      return supervises(options.workers)
        ? await this.#lead(options)
        : await this.#serve(options, receiver)
    } catch (thrown) {
      this.#running = null
      // What the start had prepared is given back, so that another one finds it free.
      await this.#runClosers(this.#closers.splice(length))
      throw thrown
    }
  }

  /** Drains and closes; a second call waits for the first. */
  close(delay: number): Promise<void> {
    this.#closing ??= this.#shutDown(delay)
    return this.#closing
  }

  /** Replaces the workers one by one; without a fleet there is nothing to do. */
  async restart(): Promise<void> {
    await this.#running?.restart()
  }

  #obeySignals(drainDelay: number): void {
    const { throwables } = this.#parts
    const restart = (): Promise<void> =>
      this.restart().catch((thrown: unknown) => throwables.notify(thrown, { origin: 'restart' }))
    this.onClose(
      onServerSignal((signal) => void (signal === 'stop' ? this.#leave(drainDelay) : restart())),
    )
  }

  // The reporter stands among those of everybody for as long as the server listens.
  #register(): void {
    const { reporter, throwables } = this.#parts
    if (reporter === null) return
    this.onClose(throwables.add(reporter))
  }

  async #lead(options: CompleteOptions): Promise<Listening> {
    const { leadFleet } = await import('./fleet/lead-fleet.ts')
    const fleet = await leadFleet({
      ...this.#parts,
      options,
      supervisors: this.#supervisors,
      onClose: (closer) => this.onClose(closer),
    })
    this.#running = fleet
    return fleet.start()
  }

  async #serve(options: CompleteOptions, receiver: () => Receiver): Promise<Listening> {
    const { host, port, limits, tls } = options
    try {
      const engine = new NodeEngine({ limits, tls, receive: receiver() })
      this.#engine = engine
      const worker = workerIdentity()
      // One worker of a fleet tells it for all: they run on the same Node.
      if (worker.slot === 1) warnOfMissingFields(this.#parts.log)
      for (const hook of this.#serveHooks) await hook()
      this.#parts.emitter.emit(Worker.Boot, worker)
      const listening = await engine.listen({ host, port })
      this.#running = {
        restart: () => Promise.resolve(),
        stop: (delay) => this.#drain(engine, delay, options.drainTimeout),
      }
      this.onClose(onDrain((delay) => void this.#leave(delay)))
      await this.#keepReports(options.reports)
      reportServing(listening)
      return listening
    } catch (thrown) {
      await reportFailure(toError(thrown))
      throw thrown
    }
  }

  // Readiness says no at once; requests are taken until whoever sends them had time to notice.
  async #drain(engine: Engine, delay: number, drainTimeout: number): Promise<void> {
    const { emitter, log, readiness } = this.#parts
    readiness.draining = true
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay * 1000))
    emitter.emit(Worker.Shutdown, workerIdentity())
    const cut = await engine.close(drainTimeout)
    if (cut > 0) log('connections cut after waiting', { cut, drainTimeout }, 'warn')
  }

  async #keepReports(configured: string | null): Promise<void> {
    const folder = reportsFolder(configured)
    if (folder === null) return
    const { keepReports } = await import('./fleet/process-reports.ts')
    this.onClose(keepReports(folder, this.#parts))
  }

  async #shutDown(delay: number): Promise<void> {
    await this.#running?.stop(delay)
    this.#running = null
    await this.#runClosers(this.#closers.splice(0))
  }

  // Last added first.
  async #runClosers(closers: readonly Hook[]): Promise<void> {
    for (const closer of closers.toReversed()) {
      try {
        await closer()
      } catch (thrown) {
        this.#parts.throwables.notify(thrown, { origin: 'shutdown' })
      }
    }
  }

  async #leave(delay: number): Promise<void> {
    await this.close(delay)
    await leaveFleet()
    process.exit(0)
  }
}
