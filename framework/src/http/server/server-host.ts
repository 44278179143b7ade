import type { Views } from '../../base/templates/views.ts'
import type { Throwables } from '../../errors/throwables/throwables.ts'
import type { Emitter } from '../../events/emitter.ts'
import type { Environments } from '../../settings/environments.ts'
import type { PrepareErrorPage } from '../errors/error-values.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import type { Traffic } from './engine/engine.ts'
import type { WorkerIdentity } from './fleet/worker-events.ts'
import type { ObservabilitySettings } from './options.ts'
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
  /** File of the slowest and the failed requests; null if none are kept. */
  readonly keptRequests: string | null
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
export interface FleetHost extends Pick<ServerHost, 'throwables' | 'observability' | 'onClose'> {
  /** Adds a hook that runs for every forked worker, before it serves. */
  readonly onForked: (listener: (worker: WorkerIdentity) => unknown) => void
  /** Adds a hook that runs for every worker that has ended, intentionally or not. */
  readonly onEnded: (listener: (worker: WorkerIdentity) => unknown) => void
}

/**
 * Logs events of a server and its workers: `warn` if the server recovers by itself, `error` if somebody
 * should look into it.
 */
export type ServerLog = (
  message: string,
  context: Record<string, unknown>,
  level: 'info' | 'warn' | 'error',
) => void
