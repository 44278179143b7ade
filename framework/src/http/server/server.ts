import { FrameworkError } from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import { toError } from '../../base/to-error.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import type { Reporter } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { FRAMEWORK_ENVIRONMENT } from '../../settings/boot-environment.ts'
import { Environments } from '../../settings/environments.ts'
import { checkNamedRoutes } from '../urls/define-routes.ts'
import type { NamedRoutes } from '../urls/define-routes.ts'
import { createCatcher } from '../errors/catcher.ts'
import type { Catcher } from '../errors/catcher.ts'
import { errorPagePreparer } from '../errors/error-values.ts'
import type { ErrorValues } from '../errors/error-values.ts'
import { EventStreams } from '../live/event-streams.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import { ProcessUploads } from '../request/upload-budget.ts'
import type { UploadBudget } from '../request/upload-budget.ts'
import type * as UploadFolder from '../request/upload-folder.ts'
import type { ListLimits } from '../lists/list-query.ts'
import { completeResources, DatabaseResource } from '../response/database-resource.ts'
import type { ResponseResources } from '../response/database-resource.ts'
import { attachMiddlewares, checkMiddleware } from '../router/middleware.ts'
import type { Middleware } from '../router/middleware.ts'
import { Pipeline } from '../router/pipeline.ts'
import { mountRouteSets } from '../router/route-set.ts'
import type { RouteSet } from '../router/route-set.ts'
import { Router } from '../router/router.ts'
import type { Listening, Receiver } from './engine/engine.ts'
import type * as FleetUploading from './fleet/fleet-uploads.ts'
import { inFleet, workerIdentity } from './fleet/workers.ts'
import { requestHandler } from './handle-request.ts'
import { inject } from './inject.ts'
import type { InjectedResponse, InjectedRequest } from './inject.ts'
import { Lifecycle } from './lifecycle.ts'
import type { LifecycleParts } from './lifecycle.ts'
import { completeOptions, mergeOptions } from './options.ts'
import type { CompleteOptions, ServerOptions } from './options.ts'
import { Readiness } from './readiness.ts'
import type { ReadyCheck } from './readiness.ts'
import type { Languages } from '../../i18n/languages.ts'
import type { ServerHost, ServerLog } from './server-host.ts'

const loadUploadFolder = lateModule<typeof UploadFolder>(import.meta, '../request/upload-folder')
const loadFleetUploads = lateModule<typeof FleetUploading>(import.meta, './fleet/fleet-uploads')

/** Parts of a server; each has a shared default. */
export interface ServerParts {
  readonly environment?: Environments
  readonly emitter?: Emitter
  readonly throwables?: Throwables
  readonly catcher?: Catcher
  /**
   * Called with every throwable while the server listens; null for none.
   * @default writes lines of the channel `exceptions` to stderr; null in `test`
   */
  readonly reporter?: Reporter | null
  /** Logs what happens to the workers. */
  readonly log?: ServerLog
}

/** The declarations collected until the server starts. */
interface Declared {
  options: CompleteOptions
  resources: ResponseResources
  globals: Readonly<Record<string, unknown>>
  urls: NamedRoutes | null
  languages: Languages | null
}

/** Options of `listen`. */
export interface ListenOptions {
  /** Whether SIGTERM and SIGINT stop, and SIGUSR2 restarts, this server. @default true */
  readonly signals?: boolean
}

/** An HTTP server: routes, middlewares and worker processes. */
export class Server {
  /** Declares the routes. */
  readonly router: Router = new Router()

  readonly #parts: LifecycleParts & Required<Pick<ServerParts, 'environment'>>
  readonly #catcher: Catcher | null
  readonly #lifecycle: Lifecycle
  /** Route sets may be mounted before the server is configured: they see what is set later. */
  readonly #host: { -readonly [Name in keyof ServerHost]: ServerHost[Name] }
  readonly #middlewares: Middleware[] = []
  readonly #declared: Declared = {
    options: completeOptions({}),
    resources: completeResources({}),
    globals: {},
    urls: null,
    languages: null,
  }
  #given: ServerOptions = {}
  #receive: Receiver | null = null

  constructor(parts: ServerParts = {}) {
    const { environment = FRAMEWORK_ENVIRONMENT, log = (): void => {} } = parts
    const { emitter = Emitter.Instance, throwables = Throwables, catcher = null } = parts
    const defaultReporter = environment === Environments.Test ? null : reportToStandardError()
    const { reporter = defaultReporter } = parts
    const readiness = new Readiness((check, reason) => {
      log('a readiness check failed', { check, reason: toError(reason).message }, 'warn')
    })
    this.#parts = { environment, emitter, throwables, reporter, log, readiness }
    this.#catcher = catcher
    this.#lifecycle = new Lifecycle(this.#parts)
    this.#host = this.#createHost()
  }

  /**
   * Sets options. Later calls add to earlier ones, and later values win; `limits` and `observability` are
   * merged key by key.
   * @throws InvalidArgumentException for an invalid value; then nothing is changed.
   */
  configure(options: ServerOptions): this {
    this.#assertOpen('configure()')
    const given = mergeOptions(this.#given, options)
    const complete = completeOptions(given)
    this.#declared.options = complete
    const { observability, keptRequests, workers, url, views } = complete
    Object.assign(this.#host, { observability, keptRequests, workers, url, views })
    this.#given = given
    return this
  }

  /** Adds middlewares that run around every request, the first one outermost. */
  use(...middlewares: readonly Middleware[]): this {
    this.#assertOpen('use()')
    for (const middleware of middlewares) checkMiddleware(middleware)
    this.#middlewares.push(...middlewares)
    return this
  }

  /** The middlewares around every request, outermost first. */
  get middlewares(): readonly Middleware[] {
    return this.#middlewares
  }

  /** How many rows a request gets of `response.database.paginate`, and may ask for. */
  get listLimits(): ListLimits {
    return (this.#declared.resources.database ?? new DatabaseResource()).limits
  }

  /**
   * Sets the resources of responses: with `{ database: new Resources.Database(database) }`,
   * `response.database` can list entities.
   * @throws InvalidArgumentException for anything but a resource.
   */
  resources(resources: Partial<ResponseResources>): this {
    this.#assertOpen('resources()')
    this.#declared.resources = completeResources(resources)
    return this
  }

  /**
   * Sets values for `it` in every view; values shared by a response and the data of a view take
   * precedence. `errorValues` returns more values for error pages.
   */
  globals(values: Readonly<Record<string, unknown>>, errorValues: ErrorValues | null = null): this {
    this.#assertOpen('globals()')
    this.#declared.globals = { ...values }
    const { throwables } = this.#parts
    this.#host.prepareErrorPage = errorValues && errorPagePreparer(errorValues, throwables)
    return this
  }

  /** Sets the store of rate limits that have none of their own; required with several workers. */
  rateLimits(store: RateLimitStore): this {
    this.#assertOpen('rateLimits()')
    this.#host.rateLimits = store
    return this
  }

  /**
   * Sets the named routes, the result of `defineRoutes`: views call it as `route('notes.show', { id })`. At
   * the start each name must have a route.
   */
  urls(route: NamedRoutes): this {
    this.#assertOpen('urls()')
    this.#declared.urls = route
    return this
  }

  /** Sets the languages that pages exist in. @default English alone */
  languages(languages: Languages): this {
    this.#assertOpen('languages()')
    this.#declared.languages = languages
    return this
  }

  /** Declares the route sets of a manifest. */
  mount<Services>(sets: readonly RouteSet<Services>[], services: Services): this {
    mountRouteSets(this.router, sets, services, this.#host)
    return this.supervise(sets)
  }

  /** Adds the `supervise` functions of route sets, without their routes, in the primary of a fleet. */
  supervise(sets: readonly Pick<RouteSet<never>, 'supervise'>[]): this {
    for (const { supervise } of sets)
      if (supervise !== null) this.#lifecycle.supervisors.push(supervise)
    return this
  }

  /**
   * Adds a check to `/ready`. While it returns false, throws, rejects or takes longer than five seconds,
   * this process should get no requests.
   */
  ready(name: string, check: ReadyCheck): this {
    this.#parts.readiness.add(name, check)
    return this
  }

  /** Adds a hook that runs after the server has closed, in reverse order, for example to close services. */
  onClose(closer: () => unknown): this {
    this.#lifecycle.closers.push(closer)
    return this
  }

  /**
   * Starts serving. With several workers this process forks and supervises them; they run the same program
   * and serve when they reach this call. Resolves when requests are accepted.
   * @throws ListenError if the address is not available.
   */
  async listen({ signals = true }: ListenOptions = {}): Promise<Listening> {
    const { options, languages } = this.#declared
    const receiver = (): Receiver => this.#receiver()
    const listening = await this.#lifecycle.start({ options, signals, receiver })
    // Not in the primary of a fleet. What cannot be read now fails the request that needs it.
    if (this.#receive !== null) void languages?.prepare().catch(() => {})
    return listening
  }

  /** Stops accepting requests, finishes those in flight within `drainTimeout`, and closes the rest. */
  close(): Promise<void> {
    return this.#lifecycle.close(0)
  }

  /** Replaces the workers one by one without losing a request. Does nothing with a single process. */
  restart(): Promise<void> {
    return this.#lifecycle.restart()
  }

  /** Runs a request without a socket, through everything from the health probe to the last middleware. */
  inject(request: InjectedRequest): Promise<InjectedResponse> {
    return inject(this.#receiver(), request)
  }

  #receiver(): Receiver {
    this.#receive ??= this.#assemble()
    return this.#receive
  }

  #assemble(): Receiver {
    const { environment, emitter, throwables } = this.#parts
    const { options, resources, urls, languages } = this.#declared
    const { prepareErrorPage } = this.#host
    const { views, limits, health, url } = options
    this.router.freeze()
    const routes = this.router.all()
    if (urls !== null) {
      checkNamedRoutes(urls, routes)
      // In development a view may be wrong while it is edited.
      if (environment !== Environments.Development) {
        views?.checkRoutes(Object.keys(urls.patterns))
      }
    }
    const globals = { ...(urls && { route: urls }), ...this.#declared.globals }
    const ofRoutes = routes.flatMap(({ middlewares }) => middlewares)
    attachMiddlewares([...this.#middlewares, ...ofRoutes], this.#host)
    if (environment !== Environments.Development) {
      views?.checkAssets()
      if (languages !== null) views?.checkMessages((key) => languages.knows(key))
    }
    const uploads = this.#uploadBudget(routes.some((route) => route.uploads !== null))
    const eventStreams = new EventStreams({ ...options, eventBacklog: limits.eventBacklog })
    this.#lifecycle.drainHooks.push(() => eventStreams.drain())
    this.#lifecycle.closers.push(() => eventStreams.close())
    return requestHandler({
      application: {
        ...options,
        environment,
        uploads,
        eventStreams,
        languages,
        globals,
        resources,
      },
      pipeline: new Pipeline(routes, this.#middlewares, {
        url,
        jsonPrefixes: this.router.jsonPrefixes,
      }),
      catcher:
        this.#catcher ??
        createCatcher({ environment, throwables, routes: () => this.router.routes() }),
      emitter,
      throwables,
      prepareErrorPage,
      health,
    })
  }

  #createHost(): ServerHost {
    const { environment, emitter, throwables, readiness } = this.#parts
    const { observability, keptRequests, workers, url, views } = this.#declared.options
    const lifecycle = this.#lifecycle
    return {
      environment,
      emitter,
      throwables,
      readiness,
      worker: workerIdentity(),
      prepareErrorPage: null,
      rateLimits: null,
      observability,
      keptRequests,
      workers,
      url,
      views,
      get traffic() {
        return lifecycle.traffic
      },
      onServe: (hook) => void lifecycle.serveHooks.push(hook),
      onClose: (closer) => void lifecycle.closers.push(closer),
    }
  }

  #uploadBudget(isUsed: boolean): UploadBudget {
    const { uploadBudget, workers } = this.#declared.options
    if (inFleet() && workers > 1) {
      return new (loadFleetUploads().FleetUploads)(process)
    }
    // In a fleet the primary does it.
    if (isUsed)
      this.#lifecycle.serveHooks.push(() => void loadUploadFolder().removeAbandonedUploads())
    return new ProcessUploads(uploadBudget)
  }

  #assertOpen(call: string): void {
    if (this.#receive === null) return
    throw new FrameworkError('E_FROZEN', `${call} was called after the server had started`)
  }
}

/**
 * The default reporter of a server: writes lines of the channel `exceptions` to stderr. The log code is
 * loaded with the first throwable, since most processes never have one.
 */
function reportToStandardError(): Reporter {
  let loading: Promise<Reporter> | null = null
  return async (error, context) => (await (loading ??= loadReporter()))(error, context)
}

async function loadReporter(): Promise<Reporter> {
  const { exceptionsReporter } = await import('../../logs/exceptions-reporter.ts')
  const { Logs } = await import('../../logs/logs.ts')
  const { jsonSink } = await import('../../logs/stream-writer.ts')
  const { terminalSink } = await import('../../logs/terminal-sink.ts')
  const { stderr } = process
  const sink = stderr.isTTY
    ? terminalSink({ stream: stderr, colour: stderr.hasColors() })
    : jsonSink(stderr)
  return exceptionsReporter(new Logs({ sinks: [sink] }))
}
