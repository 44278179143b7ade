import type { Environments } from '../../app/environments/environments.ts'
import type { Throwables } from '../../base/throwables/throwables.ts'
import type { Emitter } from '../../services/events/emitter.ts'
import type { PrepareErrorPage } from '../errors/error-values.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import type { Traffic } from './engine/engine.ts'
import { workerIdentity } from './fleet/workers.ts'
import type { WorkerIdentity } from './fleet/worker-events.ts'
import type { ObservabilitySettings } from './observability-settings.ts'
import type { CompleteOptions } from './options.ts'
import type { Readiness } from './readiness.ts'

/** A server as the route sets and middlewares on it see it. */
export interface ServerHost {
  readonly environment: Environments
  readonly emitter: Emitter
  readonly throwables: Throwables
  /** Gives an error page what it shows of the visitor; null when nobody said what that is. */
  readonly prepareErrorPage: PrepareErrorPage | null
  readonly readiness: Readiness
  readonly observability: ObservabilitySettings
  readonly worker: WorkerIdentity
  /** Processes that share the requests. */
  readonly workers: number
  /** Address under which people reach the site; null when nobody said. */
  readonly url: string | null
  /** Where limits count that have no store of their own; null when there is none. */
  readonly rateLimits: RateLimitStore | null
  /** Bytes on the wire since this process began to serve. */
  readonly traffic: Traffic
  /** Calls back before this process accepts its first request; a promise is awaited. */
  readonly onServe: (hook: () => unknown) => void
  /** Calls back when the server has closed, last added first. */
  readonly onClose: (closer: () => unknown) => void
}

/** The primary of a fleet as a route set sees it. */
export interface FleetHost {
  readonly throwables: Throwables
  readonly observability: ObservabilitySettings
  /** Calls back for every worker that was made, before it can serve. */
  readonly onForked: (listener: (worker: WorkerIdentity) => unknown) => void
  /** Calls back for every worker that has ended, wanted or not. */
  readonly onEnded: (listener: (worker: WorkerIdentity) => unknown) => void
  readonly onClose: (closer: () => unknown) => void
}

/** Where a host gets what it shows. */
export interface HostSources {
  readonly parts: Pick<ServerHost, 'environment' | 'emitter' | 'throwables' | 'readiness'>
  /** Read anew each time: route sets may be mounted before the server is configured. */
  readonly declared: Pick<ServerHost, 'prepareErrorPage' | 'rateLimits'> & {
    readonly options: CompleteOptions
  }
  readonly lifecycle: Pick<ServerHost, 'traffic' | 'onServe' | 'onClose'>
}

/** The view of a server that route sets and middlewares are given. */
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
