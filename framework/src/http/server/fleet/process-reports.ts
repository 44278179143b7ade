import cluster from 'node:cluster'
import {
  excludesEnvironment,
  enableCrashReports,
} from '../../../errors/crash-reports/enable-crash-reports.ts'
import { createShutdown } from '../../../errors/throwables/shutdown.ts'
import type { Throwables } from '../../../errors/throwables/throwables.ts'
import { toError } from '../../../base/to-error.ts'
import { unwritableReason } from '../../../base/files/explain-unwritable.ts'
import type { ServerLog } from '../server-log.ts'

/** Reports crashes of earlier unsupervised processes; if several start at once, only one reports them. */
export function reportLeftovers(folder: string, throwables: Throwables): void {
  const shutdown = createShutdown({ throwables, folder })
  while (shutdown.collect()) shutdown.debug()
}

/** Where crash reports go. */
export interface ReportsAudience {
  readonly throwables: Throwables
  readonly log: ServerLog
}

/**
 * Makes this process write a diagnostic report to the folder if V8 crashes, and reports those of earlier
 * processes; workers leave that to their primary. A process whose report could contain the environment
 * writes none. Returns a function that stops it.
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
    // A read-only disk must not keep the server from serving.
    const reason = unwritableReason(thrown, folder) ?? toError(thrown).message
    log('no diagnostic report can be left', { folder, reason }, 'warn')
    return () => {}
  }
}
