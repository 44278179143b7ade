import { printable } from '../../base/encoding/printable.ts'
import { maskText } from '../../base/mask-text.ts'
import { messageOf, toError } from '../../base/to-error.ts'
import { isRecord } from '../../base/is-record.ts'
import { lateModule } from '../../base/late-module.ts'
import { PendingWork, settledWithin } from '../../base/pending-work.ts'
import type * as AnsiReport from '../reports/ansi-report.ts'
import { className } from '../reports/class-name.ts'
import type * as PageText from '../reports/page-text.ts'
import { errorOutputHasColors, writeErrorOutput } from './error-output.ts'
import type * as ProcessHandlers from './process-handlers.ts'
import { ReportCounts, checkLimit } from './report-limit.ts'
import type { ReportLimit } from './report-limit.ts'

const loadAnsiReport = lateModule<typeof AnsiReport>(import.meta, '../reports/ansi-report')
const loadPageText = lateModule<typeof PageText>(import.meta, '../reports/page-text')
const loadHandlers = lateModule<typeof ProcessHandlers>(import.meta, './process-handlers')

/** Targets that throwables can be rendered for. */
export const Debugging: Readonly<{
  /** A terminal, with ANSI colours. */
  TARGET_CLI: 'cli'
  /** A part of an HTML document. */
  TARGET_HTML: 'html'
}> = Object.freeze({ TARGET_CLI: 'cli', TARGET_HTML: 'html' })

/** One of the targets of `Debugging`. */
export type Target = 'cli' | 'html'

/** Details about where a throwable came from, passed to every reporter. */
export type ReportContext = Readonly<Record<string, unknown>>

/** Receives throwables: a log, a counter, or a function of your own. */
export type Reporter = (throwable: Error, context: ReportContext) => unknown

/** Dispatches throwables to reporters, once per instance, and writes them to standard error. */
export interface Throwables {
  /** The reporters in the order they are called; may be changed. */
  readonly reporters: Reporter[]
  /** Adds a reporter. Returns a function that removes it. */
  add(reporter: Reporter): () => void
  /** Whether an uncaught throwable ends the process with status 255. @default true */
  exit: boolean
  /**
   * How much a report shows. 1: class and message; 2: also location and source; 3 and above: also
   * the nearest 3 × (verbosity − 2) calls; 6: all calls. @default 3
   */
  verbosity: number
  /** Limits the reports per class and line; null for no limit. @default null */
  limit: ReportLimit | null
  /** How many throwables the limit suppressed. */
  readonly suppressed: number
  /**
   * Renders a throwable as text. Without a target the text is for standard error, coloured if that
   * supports colours; `Debugging.TARGET_CLI` is always coloured. Never throws.
   */
  render(throwable: unknown, target?: Target | null): string
  /** Renders a throwable and writes it to standard error synchronously. */
  report(throwable: unknown): void
  /**
   * Passes a throwable to every reporter, once per instance. Errors of reporters are swallowed:
   * reporting never makes a failure worse.
   */
  notify(throwable: unknown, context?: ReportContext): void
  /** Resolves when the asynchronous reporters have finished, or when the time is up. */
  settled(withinMs: number): Promise<void>
  /**
   * Installs handlers for uncaught throwables: they are passed to the reporters, written to standard
   * error, and end the process with status 255 unless `exit` is false. Returns a function that
   * removes the handlers.
   */
  install(): () => void
}

/** Options of `createThrowables`. */
export interface ThrowablesOptions {
  readonly limit?: ReportLimit | null
  /** The clock of the limit, in milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Creates a dispatcher with its own reporters and state.
 * @throws InvalidArgumentException for an invalid limit.
 */
export function createThrowables(options: ThrowablesOptions = {}): Throwables {
  const reporters: Reporter[] = []
  const reported = new WeakSet<Error>()
  const pending = new PendingWork()
  const counts = new ReportCounts(options.nowMs ?? (() => performance.now()))
  let limit = checkLimit(options.limit ?? null)
  let uninstall: (() => void) | null = null

  const textOf = (error: Error, colored: boolean): string => {
    try {
      return loadAnsiReport().ansiReport(error, { verbosity: throwables.verbosity, colored })
    } catch {
      return shortReport(error)
    }
  }
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
      if (target === Debugging.TARGET_HTML) {
        return `<pre class="framework-error">${loadPageText().html(textOf(error, false))}</pre>`
      }
      return textOf(error, target === Debugging.TARGET_CLI || errorOutputHasColors())
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
      const details = suppressed === 0 ? context : { ...context, suppressed }
      for (const reporter of reporters.slice()) isolate(reporter, error, details, pending)
    },
    async settled(withinMs) {
      await settledWithin(pending.finished(), withinMs)
    },
    install() {
      uninstall ??= loadHandlers().handleUncaught(throwables, pending)
      return () => {
        uninstall?.()
        uninstall = null
      }
    },
  }
  return throwables
}

/** The shared dispatcher, the default everywhere. */
export const Throwables: Throwables = createThrowables()

function isolate(
  reporter: Reporter,
  error: Error,
  context: ReportContext,
  pending: PendingWork,
): void {
  try {
    const outcome = reporter(error, context)
    if (isThenable(outcome)) void pending.add(Promise.resolve(outcome))
  } catch {
    // Swallowed by contract: reporting must not fail.
  }
}

function isThenable(outcome: unknown): outcome is PromiseLike<unknown> {
  return isRecord(outcome) && typeof outcome['then'] === 'function'
}

/** Class and message, for when a full report fails, such as with no file descriptors left. */
export function shortReport(error: Error): string {
  return `${printable(`${maskText(className(error))}: ${messageOf(error)}`)}\n`
}
