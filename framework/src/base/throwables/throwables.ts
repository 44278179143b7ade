import { Debugging } from './debugging.ts'
import type { Target } from './debugging.ts'
import { errorOutputHasColors, writeErrorOutput } from './error-output.ts'
import { loadAnsiReport, loadHtmlReport, loadProcessHandlers } from './late-modules.ts'
import { PendingReports } from './pending-reports.ts'
import { ReportCounts, checkLimit } from './report-limit.ts'
import type { ReportLimit } from './report-limit.ts'
import { shortReport } from '../reports/short-report.ts'
import { toError } from './to-error.ts'

/** Facts about where a throwable came from, handed to every reporter. */
export type ReportContext = Readonly<Record<string, unknown>>

/** Tells somebody about a throwable: a log, a counter, a closure of the user. */
export type Reporter = (throwable: Error, context: ReportContext) => unknown

/** Dispatches throwables to reporters, once for each instance, and tells them on standard error. */
export interface Throwables {
  /** The reporters, in the order they are called; push to it, or remove from it. */
  readonly reporters: Reporter[]
  /** Adds a reporter and returns the function that removes it again. */
  add(reporter: Reporter): () => void
  /** Whether an uncaught throwable ends the process, with status 255; true unless changed. */
  exit: boolean
  /**
   * How much a report tells: 1 class and message; 2 adds the place and its source;
   * 3, unless changed, and more the nearest 3 × (verbosity − 2) calls; 6 all of them.
   */
  verbosity: number
  /** Bounds the reports of each class and line; null, unless changed, does not. */
  limit: ReportLimit | null
  /** How many throwables the limit kept from the reporters. */
  readonly suppressed: number
  /**
   * A throwable as text. Without a target it is meant for standard error, and coloured if that
   * wants colours; `Debugging.TARGET_CLI` is always coloured. Never throws.
   */
  render(throwable: unknown, target?: Target | null): string
  /** Renders a throwable and writes it to standard error, all of it before this returns. */
  report(throwable: unknown): void
  /**
   * Hands a throwable to every reporter, at most once in its life. A reporter that throws or
   * rejects is swallowed: reporting never makes a failure worse.
   */
  notify(throwable: unknown, context?: ReportContext): void
  /** Resolves when the asynchronous reporters have ended, or when the time is up. */
  settled(withinMs: number): Promise<void>
  /**
   * From here on what nobody catches is handed to the reporters and written to standard error, and
   * ends the process with status 255 unless `exit` is false. The answer takes that back.
   */
  install(): () => void
}

/** How a dispatcher is made. */
export interface ThrowablesOptions {
  readonly limit?: ReportLimit | null
  /** The clock of the limit, in milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Builds a dispatcher with reporters and a memory of its own.
 * @throws InvalidArgumentException for a limit that cannot work.
 */
export function createThrowables(options: ThrowablesOptions = {}): Throwables {
  const reporters: Reporter[] = []
  const reported = new WeakSet<Error>()
  const pending = new PendingReports()
  const counts = new ReportCounts(options.nowMs ?? (() => performance.now()))
  let limit = checkLimit(options.limit ?? null)
  let uninstall: (() => void) | null = null

  const throwables: Throwables = {
    reporters,
    add(reporter) {
      reporters.push(reporter)
      return () => {
        const at = reporters.indexOf(reporter)
        if (at !== -1) reporters.splice(at, 1)
      }
    },
    exit: true,
    verbosity: 3,
    get limit() {
      return limit
    },
    set limit(changed) {
      limit = checkLimit(changed)
    },
    get suppressed() {
      return counts.suppressed
    },
    render(throwable, target = null) {
      const error = toError(throwable)
      try {
        const { verbosity } = throwables
        if (target === Debugging.TARGET_HTML) return loadHtmlReport().htmlReport(error, verbosity)
        const colored = target === Debugging.TARGET_CLI || errorOutputHasColors()
        return loadAnsiReport().ansiReport(error, { verbosity, colored })
      } catch {
        return shortReport(error)
      }
    },
    report(throwable) {
      writeErrorOutput(throwables.render(throwable))
    },
    notify(throwable, context = {}) {
      const error = toError(throwable)
      if (reported.has(error)) return
      reported.add(error)
      const suppressed = limit === null ? 0 : counts.admit(error, limit)
      if (suppressed === null) return
      const facts = suppressed === 0 ? context : { ...context, suppressed }
      for (const reporter of reporters.slice()) isolate(reporter, error, facts, pending)
    },
    settled: (withinMs) => pending.settled(withinMs),
    install() {
      uninstall ??= loadProcessHandlers().handleUncaught(throwables, pending)
      return () => {
        uninstall?.()
        uninstall = null
      }
    },
  }
  return throwables
}

/** The shared dispatcher, used where no other is handed in. */
export const Throwables: Throwables = createThrowables()

function isolate(
  reporter: Reporter,
  error: Error,
  context: ReportContext,
  pending: PendingReports,
): void {
  try {
    const outcome = reporter(error, context)
    if (isThenable(outcome)) pending.add(Promise.resolve(outcome))
  } catch {
    // Swallowed by contract: there is nobody left to tell.
  }
}

function isThenable(outcome: unknown): outcome is PromiseLike<unknown> {
  if (typeof outcome !== 'object' || outcome === null || !('then' in outcome)) return false
  return typeof outcome.then === 'function'
}
