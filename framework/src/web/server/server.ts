import { FRAMEWORK_ENVIRONMENT } from '../../app/environments/boot-environment.ts'
import { Environments } from '../../app/environments/environments.ts'
import { Throwables } from '../../base/throwables/throwables.ts'
import type { Reporter } from '../../base/throwables/throwables.ts'
import { toError } from '../../base/throwables/to-error.ts'
import { FrameworkError } from '../../base/errors.ts'
import { Emitter } from '../../services/events/emitter.ts'
import { createCatcher } from '../errors/catcher.ts'
import { errorPagePreparer } from '../errors/error-values.ts'
import type { ErrorValues, PrepareErrorPage } from '../errors/error-values.ts'
import type { Catcher } from '../errors/catcher.ts'
import { completeResources } from '../response/resources/response-resources.ts'
import type { ResponseResources } from '../response/resources/response-resources.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import { attachMiddlewares, checkMiddleware } from '../router/middleware.ts'
import type { Middleware } from '../router/middleware.ts'
import { Pipeline } from '../router/pipeline.ts'
import { mountRouteSets } from '../router/route-set.ts'
import type { RouteSet } from '../router/route-set.ts'
import { Router } from '../router/router.ts'
import type { Engine, Listening, Receiver } from './engine/engine.ts'
import { requestHandler } from './handle-request.ts'
import { inject } from './inject.ts'
import type { InjectedAnswer, InjectedRequest } from './inject.ts'
import { NodeEngine } from './engine/node-engine.ts'
import { completeOptions } from './options.ts'
import type { CompleteOptions, ServerOptions } from './options.ts'
import { Readiness } from './readiness.ts'
import type { ReadyCheck } from './readiness.ts'
import { reportToStandardError } from './report-to-standard-error.ts'
import type { FleetHost, ServerHost } from './server-host.ts'
import type { ServerLog } from './server-log.ts'
import { onServerSignal } from './signals.ts'
import type { ServerSignal } from './signals.ts'
import { Worker } from './fleet/worker-events.ts'
import type { WorkerIdentity } from './fleet/worker-events.ts'
import { reportFailure, reportServing } from './fleet/worker-messages.ts'
import { leaveFleet, onDrain, reportsFolder, supervises, workerIdentity } from './fleet/workers.ts'

/** What a server is made of; each part has a shared default. */
export interface ServerParts {
  readonly environment?: Environments
  readonly emitter?: Emitter
  readonly throwables?: Throwables
  readonly catcher?: Catcher
  /**
   * Is told of every throwable while the server listens; null is nobody. Unless given they are
   * written to standard error, as lines of the channel `exceptions`; in `test` they are not.
   */
  readonly reporter?: Reporter | null
  /** Is told what happens to the workers. */
  readonly log?: ServerLog
}

/** What a server does once it listens. */
interface Running {
  /** Takes requests for `delay` more seconds, then finishes what is in flight. */
  stop(delay: number): Promise<void>
  restart(): Promise<void>
}

/** How `listen` behaves. */
export interface ListenOptions {
  /** Whether SIGTERM, SIGINT and SIGUSR2 drain, stop and restart this server; true by default. */
  readonly signals?: boolean
}

/** An HTTP server: routes, middlewares, and the processes that carry them. */
export class Server {
  /** Declares the routes. */
  readonly router: Router = new Router()

  readonly #parts: Required<Omit<ServerParts, 'catcher'>> & { readonly catcher: Catcher | null }
  readonly #middlewares: Middleware[] = []
  readonly #closers: (() => unknown)[] = []
  readonly #readiness: Readiness
  readonly #beginners: (() => unknown)[] = []
  readonly #supervisors: ((fleet: FleetHost) => unknown)[] = []
  #engine: Engine | null = null
  #options: CompleteOptions = completeOptions({})
  #resources: ResponseResources = completeResources({})
  #globals: Readonly<Record<string, unknown>> = {}
  #prepareErrorPage: PrepareErrorPage | null = null
  #rateLimits: RateLimitStore | null = null
  #receive: Receiver | null = null
  #running: Running | null = null
  #closing: Promise<void> | null = null

  constructor(parts: ServerParts = {}) {
    const environment = parts.environment ?? FRAMEWORK_ENVIRONMENT
    const usual = environment === Environments.Test ? null : reportToStandardError()
    this.#parts = {
      environment,
      emitter: parts.emitter ?? Emitter.Instance,
      throwables: parts.throwables ?? Throwables,
      catcher: parts.catcher ?? null,
      reporter: parts.reporter === undefined ? usual : parts.reporter,
      log: parts.log ?? ((): void => {}),
    }
    this.#readiness = new Readiness((check, reason) => {
      const context = { check, reason: toError(reason).message }
      this.#parts.log('a readiness check failed', context, 'warn')
    })
  }

  /** Sets options, all at once. @throws InvalidArgumentException for a value that cannot work. */
  configure(options: ServerOptions): this {
    this.#assertOpen('configure()')
    this.#options = completeOptions(options)
    return this
  }

  /** Adds middlewares that run around every request, the first one outermost. */
  use(...middlewares: readonly Middleware[]): this {
    this.#assertOpen('use()')
    for (const middleware of middlewares) checkMiddleware(middleware)
    this.#middlewares.push(...middlewares)
    return this
  }

  /**
   * Sets what responses are given: `server.resources({ database: new Resources.Database(database) })`
   * is what lets `response.database` list an entity.
   * @throws InvalidArgumentException for what is no resource.
   */
  resources(resources: Partial<ResponseResources>): this {
    this.#assertOpen('resources()')
    this.#resources = completeResources(resources)
    return this
  }

  /**
   * Sets what every view finds in `it`; what an answer shares, and the data of a view, win over it.
   * `errorValues` gives what error pages find besides.
   */
  globals(values: Readonly<Record<string, unknown>>, errorValues: ErrorValues | null = null): this {
    this.#assertOpen('globals()')
    this.#globals = { ...values }
    const { throwables } = this.#parts
    this.#prepareErrorPage = errorValues && errorPagePreparer(errorValues, throwables)
    return this
  }

  /** Sets where rate limits count that have no store of their own; several workers need one. */
  rateLimits(store: RateLimitStore): this {
    this.#assertOpen('rateLimits()')
    this.#rateLimits = store
    return this
  }

  /** Declares the route sets of a manifest. */
  mount<Services>(sets: readonly RouteSet<Services>[], services: Services): this {
    mountRouteSets(this.router, sets, services, this.#host())
    return this.supervise(sets)
  }

  /** Takes what route sets do in the primary of a fleet, without their routes. */
  supervise(sets: readonly Pick<RouteSet<never>, 'supervise'>[]): this {
    for (const { supervise } of sets) if (supervise !== null) this.#supervisors.push(supervise)
    return this
  }

  /**
   * Adds a check that readiness asks: while it gives false, throws, rejects or takes longer than
   * five seconds this process should get no requests.
   */
  ready(name: string, check: ReadyCheck): this {
    this.#readiness.add(name, check)
    return this
  }

  /** Calls back when the server has closed, last added first: the place to close what routes use. */
  onClose(closer: () => unknown): this {
    this.#closers.push(closer)
    return this
  }

  /**
   * Begins to serve. With several workers this process forks and watches them; they run the same
   * program and serve when they reach this call. Resolves when requests are answered.
   * @throws ListenError when the address cannot be had.
   */
  async listen({ signals = true }: ListenOptions = {}): Promise<Listening> {
    if (this.#running !== null) {
      throw new FrameworkError('E_LISTENING', 'this server listens already; close it first')
    }
    const { length } = this.#closers
    // From here on, so that a signal during a slow start is obeyed too.
    if (signals) this.onClose(onServerSignal((signal) => this.#obey(signal)))
    this.#register()
    try {
      return supervises(this.#options.workers) ? await this.#lead() : await this.#serve()
    } catch (thrown) {
      this.#running = null
      // What the start had prepared is given back, so that another one finds it free.
      await this.#runClosers(this.#closers.splice(length))
      throw thrown
    }
  }

  /** Stops accepting, finishes what is in flight (bounded by `patience`), closes the rest. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown(0)
    return this.#closing
  }

  /** Replaces the workers one by one without losing a request. With one process there is nothing to do. */
  async restart(): Promise<void> {
    await this.#running?.restart()
  }

  /** Runs a request without a socket, through everything from the probe to the last middleware. */
  inject(request: InjectedRequest): Promise<InjectedAnswer> {
    return inject(this.#receiver(), request)
  }

  // The reporter stands among those of everybody for as long as the server listens.
  #register(): void {
    const { reporter, throwables } = this.#parts
    if (reporter === null) return
    this.onClose(throwables.add(reporter))
  }

  async #lead(): Promise<Listening> {
    const { leadFleet } = await import('./fleet/lead-fleet.ts')
    const fleet = await leadFleet({
      ...this.#parts,
      options: this.#options,
      supervisors: this.#supervisors,
      onClose: (closer) => void this.onClose(closer),
    })
    this.#running = { stop: (delay) => fleet.stop(delay), restart: () => fleet.restart() }
    return fleet.start()
  }

  async #serve(): Promise<Listening> {
    const { emitter } = this.#parts
    const { host, port, limits, tls } = this.#options
    const identity = workerIdentity()
    try {
      const engine = new NodeEngine({ limits, tls, receive: this.#receiver() })
      this.#engine = engine
      for (const begin of this.#beginners) await begin()
      emitter.emit(Worker.Boot, identity)
      const listening = await engine.listen({ host, port })
      this.#running = {
        restart: () => Promise.resolve(),
        stop: (delay) => this.#drain(engine, identity, delay),
      }
      this.onClose(onDrain((delay) => void this.#leave(delay)))
      await this.#keepReports()
      reportServing(listening)
      return listening
    } catch (thrown) {
      await reportFailure(toError(thrown))
      throw thrown
    }
  }

  // Readiness says no at once; requests are taken until whoever sends them had time to notice.
  async #drain(engine: Engine, identity: WorkerIdentity, delay: number): Promise<void> {
    const { emitter, log } = this.#parts
    const { patience } = this.#options
    this.#readiness.draining = true
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay * 1000))
    emitter.emit(Worker.Shutdown, identity)
    const cut = await engine.close(patience)
    if (cut > 0) log('connections cut after waiting', { cut, patience }, 'warn')
  }

  async #keepReports(): Promise<void> {
    const folder = reportsFolder(this.#options.reports)
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
  async #runClosers(closers: readonly (() => unknown)[]): Promise<void> {
    for (const closer of closers.toReversed()) {
      try {
        await closer()
      } catch (thrown) {
        this.#parts.throwables.notify(thrown, { origin: 'shutdown' })
      }
    }
  }

  #obey(signal: ServerSignal): void {
    if (signal === 'stop') void this.#leave(this.#options.drainDelay)
    else {
      this.restart().catch((thrown: unknown) =>
        this.#parts.throwables.notify(thrown, { origin: 'restart' }),
      )
    }
  }

  async #leave(delay: number): Promise<void> {
    this.#closing ??= this.#shutDown(delay)
    await this.#closing
    await leaveFleet()
    process.exit(0)
  }

  #receiver(): Receiver {
    this.#receive ??= this.#assemble()
    return this.#receive
  }

  #assemble(): Receiver {
    const { environment, emitter, throwables } = this.#parts
    const { views, limits, peers, health } = this.#options
    this.router.freeze()
    const routes = this.router.all()
    const ofRoutes = routes.flatMap(({ middlewares }) => middlewares)
    attachMiddlewares([...this.#middlewares, ...ofRoutes], this.#host())
    return requestHandler({
      application: {
        environment,
        limits,
        peers,
        views,
        globals: this.#globals,
        resources: this.#resources,
      },
      pipeline: new Pipeline(routes, this.#middlewares),
      catcher: this.#parts.catcher ?? this.#usualCatcher(),
      emitter,
      throwables,
      prepareErrorPage: this.#prepareErrorPage,
      health,
    })
  }

  #host(): ServerHost {
    const { environment, emitter, throwables } = this.#parts
    const engine = (): Engine | null => this.#engine
    const options = (): CompleteOptions => this.#options
    const rateLimits = (): RateLimitStore | null => this.#rateLimits
    return {
      environment,
      emitter,
      throwables,
      prepareErrorPage: this.#prepareErrorPage,
      readiness: this.#readiness,
      worker: workerIdentity(),
      get workers() {
        return options().workers
      },
      get url() {
        return options().url
      },
      get rateLimits() {
        return rateLimits()
      },
      get observability() {
        return options().observability
      },
      get traffic() {
        return engine()?.traffic ?? { read: 0, written: 0 }
      },
      onServe: (begin) => void this.#beginners.push(begin),
      onClose: (closer) => void this.onClose(closer),
    }
  }

  #usualCatcher(): Catcher {
    const { environment, throwables } = this.#parts
    return createCatcher({ environment, throwables, routes: () => this.router.routes() })
  }

  #assertOpen(call: string): void {
    if (this.#receive === null) return
    throw new FrameworkError('E_FROZEN', `${call} came after the server had started`)
  }
}
