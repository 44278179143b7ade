import cluster from 'node:cluster'
import {
  excludesEnvironment,
  enableCrashReports,
} from '../../../base/crash-reports/enable-crash-reports.ts'
import { createShutdown } from '../../../base/throwables/shutdown.ts'
import type { Throwables } from '../../../base/throwables/throwables.ts'
import { toError } from '../../../base/throwables/to-error.ts'
import { unwritableReason } from '../../../base/files/explain-unwritable.ts'
import type { ServerLog } from '../server-log.ts'

/** Reports what ended processes that nobody watched; of several that start at once one tells it. */
export function reportLeftovers(folder: string, throwables: Throwables): void {
  const shutdown = createShutdown({ throwables, folder })
  while (shutdown.collect()) shutdown.debug()
}

/** Who a process that serves tells about reports. */
export interface ReportsAudience {
  readonly throwables: Throwables
  readonly log: ServerLog
}

/**
 * Makes this process leave a diagnostic report in the folder should the engine give up in it, and
 * reports what others have left there; workers leave that to their primary. A process whose report
 * could hold the environment leaves none. Returns a function that ends it.
 */
export function keepReports(folder: string, { throwables, log }: ReportsAudience): () => void {
  if (!cluster.isWorker) reportLeftovers(folder, throwables)
  if (!excludesEnvironment()) {
    log('no diagnostic report is left: start Node with --report-exclude-env', { folder }, 'warn')
    return () => {}
  }
  try {
    return enableCrashReports(folder)
  } catch (thrown) {
    // A server on a disk that cannot be written to still serves.
    const reason = unwritableReason(thrown, folder) ?? toError(thrown).message
    log('no diagnostic report can be left', { folder, reason }, 'warn')
    return () => {}
  }
}
