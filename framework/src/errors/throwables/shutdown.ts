import { ErrorException, isFatal } from '../crash-reports/error-exception.ts'
import type { FatalError } from '../crash-reports/error-exception.ts'
import { takeAnyReport } from '../crash-reports/take-report.ts'
import { Throwables } from './throwables.ts'

/** Reports fatal errors of processes that could not report them themselves. */
export interface Shutdown {
  /** Folder of the processes' diagnostic reports; null when they write none. */
  folder: string | null
  /**
   * Collects the given error, or a report that a process left in the folder. Returns whether there
   * was a fatal error.
   */
  collect(error?: FatalError | null): boolean
  /**
   * Turns the collected error into an `ErrorException`, passes it to the reporters and writes it to
   * standard error. Does nothing when no error was collected.
   */
  debug(): void
}

/** Options of `createShutdown`. */
export interface ShutdownOptions {
  readonly throwables?: Throwables
  readonly folder?: string | null
}

/** Creates a `Shutdown` with its own dispatcher and folder. */
export function createShutdown(options: ShutdownOptions = {}): Shutdown {
  const { throwables = Throwables } = options
  let collected: FatalError | null = null

  const shutdown: Shutdown = {
    folder: options.folder ?? null,
    collect(error = null) {
      const { folder } = shutdown
      const found = error ?? (folder === null ? null : takeAnyReport(folder))
      if (found === null || !isFatal(found.type)) return false
      collected = found
      return true
    },
    debug() {
      if (collected === null) return
      const exception = new ErrorException(collected)
      collected = null
      throwables.notify(exception, { origin: 'fatal' })
      throwables.report(exception)
    },
  }
  return shutdown
}

/** The shared instance, which reports to the shared `Throwables`. */
export const Shutdown: Shutdown = createShutdown()
