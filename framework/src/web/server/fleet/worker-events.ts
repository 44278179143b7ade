import { event } from '../../../services/events/event.ts'
import type { Event } from '../../../services/events/event.ts'

/** Who a worker is: its place in the fleet, kept when it is replaced, and its process id. */
export interface WorkerIdentity {
  /** From 1; a replacement takes the place of the worker it replaces. */
  readonly slot: number
  readonly pid: number
}

/**
 * The life of the process that handles requests: `Boot` before it accepts the first one, `Shutdown`
 * when it begins to drain. With `workers: 1` the process itself is the worker.
 */
export const Worker: {
  readonly Boot: Event<[worker: WorkerIdentity]>
  readonly Shutdown: Event<[worker: WorkerIdentity]>
} = Object.freeze({
  Boot: event<[worker: WorkerIdentity]>('worker.boot'),
  Shutdown: event<[worker: WorkerIdentity]>('worker.shutdown'),
})
