import { event } from '../../../events/emitter.ts'
import type { Event } from '../../../events/emitter.ts'

/** A worker's slot in the fleet, which its replacement keeps, and its process id. */
export interface WorkerIdentity {
  /** Starts at 1; a replacement gets the slot of the worker it replaces. */
  readonly slot: number
  readonly pid: number
}

/**
 * Events of a process that handles requests: `Boot` before it accepts the first one, `Shutdown` when it
 * starts to drain. With `workers: 1` the process itself is the worker.
 */
export const Worker: {
  readonly Boot: Event<[worker: WorkerIdentity]>
  readonly Shutdown: Event<[worker: WorkerIdentity]>
} = Object.freeze({
  Boot: event<[worker: WorkerIdentity]>('worker.boot'),
  Shutdown: event<[worker: WorkerIdentity]>('worker.shutdown'),
})
