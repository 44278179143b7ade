import { FrameworkError } from '../../base/errors.ts'
import { toError } from '../../base/to-error.ts'
import type { Reporter, Throwables } from '../../errors/throwables/throwables.ts'
import type { Emitter } from '../../events/emitter.ts'
import type { Listening, Receiver, Traffic } from './engine/engine.ts'
import { warnOfMissingFields } from './engine/missing-fields.ts'
import { NodeEngine } from './engine/node-engine.ts'
import { Worker } from './fleet/worker-events.ts'
import {
  leaveFleet,
  onDrain,
  reportFailure,
  reportReachable,
  reportServing,
  reportsFolder,
  supervises,
  workerIdentity,
} from './fleet/workers.ts'
import type { CompleteOptions } from './options.ts'
import type { Readiness } from './readiness.ts'
import type { FleetHost, ServerLog } from './server-host.ts'

/** The parts of a server that its life-cycle uses. */
export interface LifecycleParts {
  readonly emitter: Emitter
  readonly throwables: Throwables
  readonly reporter: Reporter | null
  readonly log: ServerLog
  readonly readiness: Readiness
}

interface StartOptions {
  readonly options: CompleteOptions
  /** Builds the request handler; never called in the primary of a fleet. */
  readonly receiver: () => Receiver
  /** Whether SIGTERM, SIGINT and SIGUSR2 drain, stop and restart this server. */
  readonly signals: boolean
}

type Hook = () => unknown

/** A started server: in this process, or a fleet of workers. */
interface Running {
  /** Accepts requests for `delay` more seconds, then finishes those in flight. */
  stop(delay: number): Promise<void>
  restart(): Promise<void>
}

/** The life of a server from `listen()` to the end of its process: start, signals, drain, close. */
export class Lifecycle {
  /** Run before this process accepts its first request; promises are awaited. */
  readonly serveHooks: Hook[] = []
  /** Run when this process stops accepting requests, for responses that stay open. */
  readonly drainHooks: Hook[] = []
  /** Run after the server has closed, in reverse order. */
  readonly closers: Hook[] = []
  /** Run in the primary of a fleet, before it forks its workers. */
  readonly supervisors: ((fleet: FleetHost) => unknown)[] = []
  readonly #parts: LifecycleParts
  #engine: NodeEngine | null = null
  #running: Running | null = null
  #closing: Promise<void> | null = null

  constructor(parts: LifecycleParts) {
    this.#parts = parts
  }

  /** Bytes sent and received since this process started serving. */
  get traffic(): Traffic {
    return this.#engine?.traffic ?? { read: 0, written: 0 }
  }

  /** Serves, or supervises the workers that do. @throws ListenError if the address is not available. */
  async start({ options, receiver, signals }: StartOptions): Promise<Listening> {
    if (this.#running !== null) {
      throw new FrameworkError('E_LISTENING', 'this server is already listening; close it first')
    }
    const { length } = this.closers
    const { reporter, throwables } = this.#parts
    // Before the start, so that a signal during a slow start is handled too.
    if (signals) this.#obeySignals(options.drainDelay)
    if (reporter !== null) this.closers.push(throwables.add(reporter))
    try {
      return supervises(options.workers)
        ? await this.#lead(options)
        : await this.#serve(options, receiver)
    } catch (thrown) {
      this.#running = null
      // Releases what was prepared, so that the server can be started again.
      await this.#runClosers(this.closers.splice(length))
      throw thrown
    }
  }

  /** Drains and closes; a second call waits for the first. */
  close(delay: number): Promise<void> {
    // /ready is 503 immediately, even if the server is still starting.
    this.#parts.readiness.draining = true
    this.#closing ??= this.#shutDown(delay)
    return this.#closing
  }

  /** Replaces the workers one by one; does nothing without a fleet. */
  async restart(): Promise<void> {
    await this.#running?.restart()
  }

  #obeySignals(drainDelay: number): void {
    const { throwables } = this.#parts
    const stop = (): void => void this.#leave(drainDelay)
    const restart = (): void => {
      this.restart().catch((thrown: unknown) => throwables.notify(thrown, { origin: 'restart' }))
    }
    process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGUSR2', restart)
    // Without a listener a signal has its default effect again.
    this.closers.push(() => {
      process.off('SIGTERM', stop).off('SIGINT', stop).off('SIGUSR2', restart)
    })
  }

  async #lead(options: CompleteOptions): Promise<Listening> {
    const { leadFleet } = await import('./fleet/lead-fleet.ts')
    const fleet = await leadFleet({
      ...this.#parts,
      options,
      supervisors: this.supervisors,
      onClose: (closer) => void this.closers.push(closer),
    })
    this.#running = fleet
    return fleet.start()
  }

  async #serve(options: CompleteOptions, receiver: () => Receiver): Promise<Listening> {
    const { host, port, limits, tls } = options
    const started = Promise.withResolvers<void>()
    // Before it listens: a worker that starts while the others drain must not say that it is ready.
    this.closers.push(
      onDrain((delay) => {
        this.#parts.readiness.draining = true
        void started.promise.then(() => this.#leave(delay))
      }),
    )
    reportReachable()
    try {
      const engine = new NodeEngine({ limits, tls, receive: receiver() })
      this.#engine = engine
      const worker = workerIdentity()
      // Only one worker of a fleet warns: all run on the same Node.
      if (worker.slot === 1) warnOfMissingFields(this.#parts.log)
      for (const hook of this.serveHooks) await hook()
      this.#parts.emitter.emit(Worker.Boot, worker)
      const listening = await engine.listen({ host, port })
      this.#running = {
        restart: () => Promise.resolve(),
        stop: (delay) => this.#drain(engine, delay, options.drainTimeout),
      }
      await this.#keepReports(options.reports)
      reportServing(listening)
      started.resolve()
      return listening
    } catch (thrown) {
      await reportFailure(toError(thrown))
      throw thrown
    }
  }

  // Requests are accepted until load balancers had time to notice that /ready is 503.
  async #drain(engine: NodeEngine, delay: number, drainTimeout: number): Promise<void> {
    const { emitter, log } = this.#parts
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay * 1000))
    emitter.emit(Worker.Shutdown, workerIdentity())
    const closed = engine.close(drainTimeout)
    for (const hook of this.drainHooks) hook()
    const cut = await closed
    if (cut > 0) log('connections cut after waiting', { cut, drainTimeout }, 'warn')
  }

  async #keepReports(configured: string | null): Promise<void> {
    const folder = reportsFolder(configured)
    if (folder === null) return
    const { keepReports } = await import('./fleet/process-reports.ts')
    this.closers.push(keepReports(folder, this.#parts))
  }

  async #shutDown(delay: number): Promise<void> {
    await this.#running?.stop(delay)
    this.#running = null
    await this.#runClosers(this.closers.splice(0))
  }

  // In reverse order.
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
