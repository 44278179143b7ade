import { writeErrorOutput } from './error-output.ts'
import { trackLoadedFiles } from '../crash-reports/track-loaded-files.ts'
import { parseError } from '../crash-reports/parse-error.ts'
import { settledWithin } from '../../base/pending-work.ts'
import type { PendingWork } from '../../base/pending-work.ts'
import { toError } from '../../base/to-error.ts'

/** Receives uncaught throwables. */
export interface UncaughtTarget {
  /** Whether the process exits afterwards. */
  readonly exit: boolean
  notify(throwable: unknown, context: Readonly<Record<string, unknown>>): void
  report(throwable: unknown): void
}

/** Exit status after an uncaught throwable. */
const uncaughtStatus = 255
/** How long to wait for reporters and for output to be read. */
const maxWaitMs = 2_000

/** Handles uncaught throwables of this process. Returns a function that removes the handlers. */
export function handleUncaught(target: UncaughtTarget, reports: PendingWork): () => void {
  let exiting = false
  const handle = (thrown: unknown): void => {
    report(thrown, target)
    // A throwable during the wait is reported too, but does not extend the wait.
    if (exiting || !target.exit) return
    exiting = true
    exit(reports)
  }
  const stopTracking = trackLoadedFiles()
  process.on('uncaughtException', handle)
  // Node would raise it as an exception itself, but reduce a reason that is not an error to text.
  process.on('unhandledRejection', handle)
  return () => {
    process.off('uncaughtException', handle)
    process.off('unhandledRejection', handle)
    stopTracking()
  }
}

function report(thrown: unknown, target: UncaughtTarget): void {
  try {
    const error = toError(thrown)
    const fatal = parseError(error)
    target.notify(fatal ?? error, { origin: fatal === null ? 'exception' : 'fatal' })
    target.report(fatal ?? error)
  } catch {
    // Throwing here would hide the original throwable.
    writeErrorOutput('a value was thrown that cannot be displayed\n')
  }
}

function exit(reports: PendingWork): void {
  // Also when the program exits by itself meanwhile, or sets another status.
  process.once('exit', () => {
    process.exitCode = uncaughtStatus
  })
  if (!reports.some && unflushedStreams().length === 0) process.exit(uncaughtStatus)
  const endMs = performance.now() + maxWaitMs
  void settledWithin(reports.finished(), maxWaitMs)
    .then(() => flushed(endMs - performance.now()))
    .finally(() => process.exit(uncaughtStatus))
}

/** The output streams that still have buffered data. */
function unflushedStreams(): NodeJS.WriteStream[] {
  return (['stdout', 'stderr'] as const).flatMap((name) => {
    try {
      const stream = process[name]
      return stream.writable && stream.writableLength > 0 ? [stream] : []
    } catch {
      // The file descriptor is closed.
      return []
    }
  })
}

function flushed(withinMs: number): Promise<void> {
  const all = unflushedStreams().map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  )
  return new Promise((resolve) => {
    setTimeout(resolve, withinMs)
    void Promise.all(all).then(() => resolve())
  })
}
