import cluster from 'node:cluster'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unwritableReason } from '../../../base/files/explain-unwritable.ts'
import { frameworkCode } from '../../../base/error-codes.ts'
import { toError } from '../../../base/to-error.ts'
import {
  excludesEnvironment,
  enableCrashReports,
} from '../../../errors/crash-reports/enable-crash-reports.ts'
import { ErrorException } from '../../../errors/crash-reports/error-exception.ts'
import { parseError } from '../../../errors/crash-reports/parse-error.ts'
import { takeReport } from '../../../errors/crash-reports/take-report.ts'
import { createShutdown } from '../../../errors/throwables/shutdown.ts'
import { Throwables } from '../../../errors/throwables/throwables.ts'
import type { ServerLog } from '../server-host.ts'
import type { WorkerIdentity } from './worker-events.ts'

/**
 * Makes this process write a diagnostic report to the folder if V8 crashes, and reports those of earlier
 * processes; workers leave that to their primary. A process whose report could contain the environment
 * writes none. Returns a function that stops it.
 */
export function keepReports(
  folder: string,
  { throwables, log }: { readonly throwables: Throwables; readonly log: ServerLog },
): () => void {
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

/** Turns the diagnostic reports of crashed workers into reported errors, in the primary. */
export class WorkerDeaths {
  /** Where workers write their reports; null if there is no writable folder. */
  readonly folder: string | null
  readonly #isPrivate: boolean
  readonly #throwables: Throwables

  /** Without a folder it creates a temporary one; a given folder may hold reports of an earlier fleet. */
  constructor(folder: string | null, throwables: Throwables) {
    this.folder = folder ?? makeFolder()
    this.#isPrivate = folder === null
    this.#throwables = throwables
    if (folder !== null) reportLeftovers(folder, throwables)
  }

  /** Reports why a worker crashed, if it left a report. */
  report({ pid, slot }: WorkerIdentity): void {
    const fatal = this.folder === null ? null : takeReport(this.folder, pid)
    if (fatal === null) return
    this.#throwables.notify(new ErrorException(fatal), { origin: 'fatal', pid, slot })
  }

  close(): void {
    if (this.folder === null || !this.#isPrivate) return
    rmSync(this.folder, { recursive: true, force: true })
  }
}

// mkdtemp makes the folder private to its owner.
function makeFolder(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'framework-reports-'))
  } catch {
    // Workers are still replaced without it; only the reason for a crash is lost.
    return null
  }
}

/** Reports crashes of earlier unsupervised processes; if several start at once, only one reports them. */
function reportLeftovers(folder: string, throwables: Throwables): void {
  const shutdown = createShutdown({ throwables, folder })
  while (shutdown.collect()) shutdown.debug()
}

/**
 * The report of an unexpected error that kept a worker from serving, with its stack; null for a framework
 * error, whose message is enough.
 */
export function failureReport(error: Error): string | null {
  return frameworkCode(error) === null ? Throwables.render(parseError(error) ?? error) : null
}
