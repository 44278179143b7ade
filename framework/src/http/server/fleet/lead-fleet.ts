import type { Throwables } from '../../../errors/throwables/throwables.ts'
import { EventChannel } from '../../../events/emitter.ts'
import { FleetRelay } from '../../../broadcast/fleet-relay.ts'
import type { CompleteOptions } from '../options.ts'
import { removeAbandonedUploads } from '../../request/upload-folder.ts'
import type { FleetHost, ServerLog } from '../server-host.ts'
import { UploadLedger } from './fleet-uploads.ts'
import { Fleet } from './fleet.ts'
import { WorkerDeaths } from './process-reports.ts'
import type { WorkerIdentity } from './worker-events.ts'

interface LeadOptions {
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
  // A failing listener must not affect the others or the replacement of the worker.
  const failed = (thrown: unknown): void => throwables.notify(thrown, { origin: 'fleet' })
  const births = new EventChannel<[worker: WorkerIdentity]>('worker.forked', failed)
  const endings = new EventChannel<[worker: WorkerIdentity]>('worker.ended', failed)
  endings.listen((worker) => deaths.report(worker))
  endings.listen((worker) => ledger.close(worker))
  for (const supervise of lead.supervisors) {
    await supervise({
      throwables,
      observability,
      onForked: (listener) => void births.listen(listener),
      onEnded: (listener) => void endings.listen(listener),
      onClose,
    })
  }
  return new Fleet({
    workers,
    drainTimeout,
    log,
    reports: deaths.folder,
    forked: (worker) => births.emit(worker),
    ended: (worker) => endings.emit(worker),
  })
}
