import type { Environments } from '../../app/environments/environments.ts'
import type { Throwables } from '../../base/throwables/throwables.ts'
import type { Emitter } from '../../services/events/emitter.ts'
import type { PrepareErrorPage } from '../errors/error-values.ts'
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts'
import type { Traffic } from './engine/engine.ts'
import type { ObservabilitySettings } from './observability-settings.ts'
import type { Readiness } from './readiness.ts'
import type { WorkerIdentity } from './fleet/worker-events.ts'

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
  /** Calls back before this process accepts its first request; what it gives is waited for. */
  readonly onServe: (begin: () => unknown) => void
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
