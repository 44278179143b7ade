import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ErrorException } from '../../../base/crash-reports/error-exception.ts'
import { takeReport } from '../../../base/crash-reports/take-report.ts'
import type { Throwables } from '../../../base/throwables/throwables.ts'
import { reportLeftovers } from './process-reports.ts'
import type { WorkerIdentity } from './worker-events.ts'

/** What workers die of, seen from the primary: their diagnostic reports become reported errors. */
export class WorkerDeaths {
  /** Where workers leave their reports; null when there is no place for them. */
  readonly folder: string | null
  readonly #isPrivate: boolean
  readonly #throwables: Throwables

  /** Without a folder it makes one of its own; in a given one may be reports of an earlier fleet. */
  constructor(folder: string | null, throwables: Throwables) {
    this.folder = folder ?? makeFolder()
    this.#isPrivate = folder === null
    this.#throwables = throwables
    if (folder !== null) reportLeftovers(folder, throwables)
  }

  /** Reports what ended a worker, if the engine gave up in it. */
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

// Only the owner can look into a folder made like this.
function makeFolder(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'framework-reports-'))
  } catch {
    // Without it workers are replaced all the same; nobody learns what ended them.
    return null
  }
}
