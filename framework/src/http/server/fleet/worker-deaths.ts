import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ErrorException } from '../../../errors/crash-reports/error-exception.ts'
import { takeReport } from '../../../errors/crash-reports/take-report.ts'
import type { Throwables } from '../../../errors/throwables/throwables.ts'
import { reportLeftovers } from './process-reports.ts'
import type { WorkerIdentity } from './worker-events.ts'

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
  tell({ pid, slot }: WorkerIdentity): void {
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
