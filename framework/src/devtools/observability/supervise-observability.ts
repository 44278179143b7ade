import { ConfigurationError } from '../../base/errors.ts'
import { workerFile } from '../../metrics/fleet-files.ts'
import { lockFolder } from '../../metrics/folder-lock.ts'
import { Observability } from '../../metrics/observability.ts'
import { Retired } from '../../metrics/retired.ts'
import { WorkerDump } from '../../metrics/worker-dump.ts'
import type { FleetHost, ServerHost } from '../../http/server/server-host.ts'
import { keepLastHour } from './last-hour.ts'

/** Keeps the counts of dead workers in the primary, and counts its own reports. */
export async function superviseObservability(fleet: FleetHost): Promise<void> {
  const retired = await ownFolder(fleet)
  fleet.onForked((worker) => retired.admit(worker))
  fleet.onEnded((worker) => retired.retire(worker))
  await countInPrimary(fleet, retired)
}

/**
 * Locks the folder for this server, empties it and maintains it until the server closes.
 * @throws ConfigurationError (E_OBSERVABILITY_FOLDER) if another server uses it.
 */
export async function ownFolder(host: ServerHost | FleetHost): Promise<Retired> {
  const { observability, throwables, onClose } = host
  const { folder, interval } = observability
  const failed = (reason: unknown): void => throwables.notify(reason, { origin: 'observability' })
  try {
    onClose(await lockFolder(folder))
  } catch (thrown) {
    if (isTaken(thrown)) throw thrown
    // A read-only disk must not keep the server from serving.
    failed(thrown)
  }
  const retired = new Retired({ folder, interval, failed })
  await retired.start()
  onClose(() => retired.stop())
  return retired
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof ConfigurationError && thrown.code === 'E_OBSERVABILITY_FOLDER'
}

// Reports of the primary, such as a worker that ran out of memory, are counted with the rest.
async function countInPrimary(fleet: FleetHost, retired: Retired): Promise<void> {
  const { throwables, observability, onClose } = fleet
  const { folder, interval } = observability
  const written = keepLastHour(observability)
  const registry = new Observability(false, { throwables })
  const primary = { slot: 0, pid: process.pid }
  retired.admit(primary)
  const file = workerFile(folder, primary)
  const dump = new WorkerDump(registry, { file, interval, written })
  await dump.start()
  onClose(() => dump.stop())
  const reporter = (): Promise<boolean> => {
    registry.exceptions.increment()
    return dump.write()
  }
  onClose(throwables.add(reporter))
}
