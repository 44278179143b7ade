import { ErrorException, isFatal } from '../crash-reports/error-exception.ts'
import type { FatalError } from '../crash-reports/error-exception.ts'
import { takeAnyReport } from '../crash-reports/take-reports.ts'
import { Throwables } from './throwables.ts'

/** Tells what ended a process that could not tell it itself. */
export interface Shutdown {
  /** Where processes leave their diagnostic reports; null when they leave none. */
  folder: string | null
  /**
   * Collects the error given, or a report that a process left in the folder. Whether there was
   * something fatal to collect.
   */
  collect(error?: FatalError | null): boolean
  /**
   * Makes what was collected last into an `ErrorException`, hands it to the reporters and writes it
   * to standard error. Without anything collected it does nothing.
   */
  debug(): void
}

/** What a shutdown works with. */
export interface ShutdownOptions {
  readonly throwables?: Throwables
  readonly folder?: string | null
}

/** Builds a shutdown with a dispatcher and a folder of its own. */
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

/** The shared one; it reports to the shared `Throwables`. */
export const Shutdown: Shutdown = createShutdown()
