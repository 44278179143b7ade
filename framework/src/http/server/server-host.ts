import type { Views } from '../../base/templates/views.ts'
import type { Throwables } from '../../errors/throwables/throwables.ts'
import type { Emitter } from '../../events/emitter.ts'
import type { Environments } from '../../settings/environments.ts'
import type { PrepareErrorPage } from '../errors/error-values.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import type { Traffic } from './engine/engine.ts'
import type { WorkerIdentity } from './fleet/worker-events.ts'
import { workerIdentity } from './fleet/workers.ts'
import type { CompleteOptions, ObservabilitySettings } from './options.ts'
import type { Readiness } from './readiness.ts'

/** The parts of a server that its route sets and middlewares may use. */
export interface ServerHost {
  readonly environment: Environments
  readonly emitter: Emitter
  readonly throwables: Throwables
  /** Loads the values for an error page; null if there are none. */
  readonly prepareErrorPage: PrepareErrorPage | null
  readonly readiness: Readiness
  readonly observability: ObservabilitySettings
  readonly worker: WorkerIdentity
  /** Number of processes that handle requests. */
  readonly workers: number
  /** Public URL of the site; null if it is not configured. */
  readonly url: string | null
  /** The templates of its pages; null if it has none. */
  readonly views: Views | null
  /** The store of rate limits that have none of their own; null if there is none. */
  readonly rateLimits: RateLimitStore | null
  /** Bytes sent and received since this process started serving. */
  readonly traffic: Traffic
  /** Adds a hook that runs before this process accepts its first request; a promise is awaited. */
  readonly onServe: (hook: () => unknown) => void
  /** Calls back when the server has closed, last added first. */
  readonly onClose: (closer: () => unknown) => void
}

/** The parts of the primary of a fleet that a route set may use. */
export interface FleetHost {
  readonly throwables: Throwables
  readonly observability: ObservabilitySettings
  /** Adds a hook that runs for every forked worker, before it serves. */
  readonly onForked: (listener: (worker: WorkerIdentity) => unknown) => void
  /** Adds a hook that runs for every worker that has ended, intentionally or not. */
  readonly onEnded: (listener: (worker: WorkerIdentity) => unknown) => void
  readonly onClose: (closer: () => unknown) => void
}

/** What a host is built from. */
export interface HostSources {
  readonly parts: Pick<ServerHost, 'environment' | 'emitter' | 'throwables' | 'readiness'>
  /** Read on each access: route sets may be mounted before the server is configured. */
  readonly declared: Pick<ServerHost, 'prepareErrorPage' | 'rateLimits'> & {
    readonly options: CompleteOptions
  }
  readonly lifecycle: Pick<ServerHost, 'traffic' | 'onServe' | 'onClose'>
}

/** Creates the host that route sets and middlewares get. */
export function serverHost({ parts, declared, lifecycle }: HostSources): ServerHost {
  const { environment, emitter, throwables, readiness } = parts
  return {
    environment,
    emitter,
    throwables,
    readiness,
    worker: workerIdentity(),
    get prepareErrorPage() {
      return declared.prepareErrorPage
    },
    get observability() {
      return declared.options.observability
    },
    get workers() {
      return declared.options.workers
    },
    get url() {
      return declared.options.url
    },
    get views() {
      return declared.options.views
    },
    get rateLimits() {
      return declared.rateLimits
    },
    get traffic() {
      return lifecycle.traffic
    },
    onServe: (hook) => lifecycle.onServe(hook),
    onClose: (closer) => lifecycle.onClose(closer),
  }
}
