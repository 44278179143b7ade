import type { Reporter, Throwables } from '../../base/debugging/throwables.ts'
import { workerFile } from '../../services/observability/fleet-files.ts'
import { Observability } from '../../services/observability/observability.ts'
import { Retired } from '../../services/observability/retired.ts'
import { WorkerDump } from '../../services/observability/worker-dump.ts'
import type { FleetHost, ServerHost } from '../server/server-host.ts'

/** Keeps the counts of dead workers in the primary, and counts what it reports itself. */
export async function superviseObservability(fleet: FleetHost): Promise<void> {
  const retired = retiredOf(fleet)
  await retired.start()
  fleet.onClose(() => retired.stop())
  fleet.onEnded((worker) => retired.retire(worker))
  await countInPrimary(fleet)
}

// What the primary reports itself, such as a worker that ran out of memory, counts with the rest.
async function countInPrimary({ throwables, observability, onClose }: FleetHost): Promise<void> {
  const { folder, interval } = observability
  const registry = new Observability(false, { throwables })
  const file = workerFile(folder, { slot: 0, pid: process.pid })
  const dump = new WorkerDump(registry, { file, interval })
  await dump.start()
  onClose(() => dump.stop())
  addReporter(throwables, onClose, () => {
    registry.exceptions.increment()
    return dump.write()
  })
}

/** What keeps the counts of dead workers; who watches none empties the folder with it. */
export function retiredOf({ observability, throwables }: ServerHost | FleetHost): Retired {
  const { folder, interval } = observability
  return new Retired({
    folder,
    interval,
    failed: (reason) => throwables.notify(reason, { origin: 'observability' }),
  })
}

/** Puts a reporter among the others until the server closes. */
export function addReporter(
  throwables: Throwables,
  onClose: ServerHost['onClose'],
  reporter: Reporter,
): void {
  throwables.reporters.push(reporter)
  onClose(() => {
    const at = throwables.reporters.indexOf(reporter)
    if (at !== -1) throwables.reporters.splice(at, 1)
  })
}
