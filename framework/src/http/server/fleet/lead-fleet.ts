import type { Throwables } from '../../../errors/throwables/throwables.ts'
import { FleetRelay } from '../../../broadcast/fleet-relay.ts'
import type { CompleteOptions } from '../options.ts'
import { removeAbandonedUploads } from '../../request/upload-folder.ts'
import type { FleetHost } from '../server-host.ts'
import type { ServerLog } from '../server-log.ts'
import { UploadLedger } from './fleet-uploads.ts'
import { Fleet } from './fleet.ts'
import { WorkerDeaths } from './process-reports.ts'
import type { WorkerIdentity } from './worker-events.ts'

/** Options of `leadFleet`. */
export interface LeadOptions {
  readonly options: CompleteOptions
  readonly throwables: Throwables
  readonly log: ServerLog
  /** The `supervise` functions of the route sets. */
  readonly supervisors: readonly ((fleet: FleetHost) => unknown)[]
  readonly onClose: (closer: () => unknown) => void
}

/** Creates the fleet and sets up everything else that runs in the primary. */
export async function leadFleet(lead: LeadOptions): Promise<Fleet> {
  const { options, throwables, log, onClose } = lead
  const { workers, drainTimeout, reports, observability, uploadBudget } = options
  const deaths = new WorkerDeaths(reports, throwables)
  onClose(() => deaths.close())
  const ledger = new UploadLedger(uploadBudget)
  onClose(ledger.listen())
  onClose(new FleetRelay().listen())
  void removeAbandonedUploads()
  const births: WorkerListener[] = []
  const endings: WorkerListener[] = [
    (worker) => deaths.report(worker),
    (worker) => ledger.close(worker),
  ]
  for (const supervise of lead.supervisors) {
    await supervise({
      throwables,
      observability,
      onForked: (listener) => void births.push(listener),
      onEnded: (listener) => void endings.push(listener),
      onClose,
    })
  }
  const teller =
    (listeners: readonly WorkerListener[]) =>
    (worker: WorkerIdentity): void => {
      for (const listener of listeners) tell(() => listener(worker), throwables)
    }
  const [forked, ended] = [teller(births), teller(endings)]
  return new Fleet({ workers, drainTimeout, log, reports: deaths.folder, forked, ended })
}

type WorkerListener = (worker: WorkerIdentity) => unknown

// A failing listener must not affect the others or the replacement of the worker.
function tell(listener: () => unknown, throwables: Throwables): void {
  const failed = (thrown: unknown): void => throwables.notify(thrown, { origin: 'fleet' })
  try {
    const outcome = listener()
    if (outcome instanceof Promise) outcome.catch(failed)
  } catch (thrown) {
    failed(thrown)
  }
}
