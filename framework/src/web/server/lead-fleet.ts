import type { Throwables } from '../../base/debugging/throwables.ts'
import { Fleet } from './fleet.ts'
import type { CompleteOptions } from './options.ts'
import type { FleetHost } from './server-host.ts'
import type { ServerLog } from './server-log.ts'
import type { WorkerIdentity } from './worker-events.ts'
import { WorkerDeaths } from './worker-deaths.ts'

/** What leading a fleet takes. */
export interface LeadOptions {
  readonly options: CompleteOptions
  readonly throwables: Throwables
  readonly log: ServerLog
  /** What route sets do in the primary. */
  readonly supervisors: readonly ((fleet: FleetHost) => unknown)[]
  readonly onClose: (closer: () => unknown) => void
}

/** A fleet that has not started yet. */
export interface LedFleet {
  readonly fleet: Fleet
  /** Gives back what was prepared, when the fleet does not come up. */
  readonly abandon: () => void
}

/** Prepares everything that goes on in the primary besides watching, and the fleet itself. */
export async function leadFleet(lead: LeadOptions): Promise<LedFleet> {
  const { options, throwables, log, onClose } = lead
  const { workers, patience, reports, observability } = options
  const deaths = new WorkerDeaths(reports, throwables)
  onClose(() => deaths.close())
  const listeners = [(worker: WorkerIdentity): unknown => deaths.tell(worker)]
  for (const supervise of lead.supervisors) {
    await supervise({
      throwables,
      observability,
      onEnded: (listener) => void listeners.push(listener),
      onClose,
    })
  }
  const ended = (worker: WorkerIdentity): void => {
    for (const listener of listeners) tell(() => listener(worker), throwables)
  }
  const fleet = new Fleet({ workers, patience, log, reports: deaths.folder, ended })
  return { fleet, abandon: () => deaths.close() }
}

// One that fails keeps neither the others from being told nor the worker from being replaced.
function tell(listener: () => unknown, throwables: Throwables): void {
  const failed = (thrown: unknown): void => throwables.notify(thrown, { origin: 'fleet' })
  try {
    const outcome = listener()
    if (outcome instanceof Promise) outcome.catch(failed)
  } catch (thrown) {
    failed(thrown)
  }
}
