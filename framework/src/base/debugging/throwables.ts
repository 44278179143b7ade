import { toError } from './to-error.ts'

/** Facts about where a throwable came from, handed to every reporter. */
export type ReportContext = Readonly<Record<string, unknown>>

/** Tells somebody about a throwable: a log, a counter, a closure of the user. */
export type Reporter = (throwable: Error, context: ReportContext) => unknown

/** Dispatches throwables to reporters, once for each instance. */
export interface Throwables {
  /** The reporters, in the order they are called; push to it, or remove from it. */
  readonly reporters: Reporter[]
  /**
   * Hands a throwable to every reporter, at most once in its life. A reporter that throws or
   * rejects is swallowed: reporting never makes a failure worse.
   */
  notify(throwable: unknown, context?: ReportContext): void
}

/** Builds a dispatcher with reporters and a memory of its own. */
export function createThrowables(): Throwables {
  const reporters: Reporter[] = []
  const reported = new WeakSet<Error>()
  return {
    reporters,
    notify(throwable, context = {}) {
      const error = toError(throwable)
      if (reported.has(error)) return
      reported.add(error)
      for (const reporter of reporters.slice()) isolate(reporter, error, context)
    },
  }
}

/** The shared dispatcher, used where no other is handed in. */
export const Throwables: Throwables = createThrowables()

function isolate(reporter: Reporter, error: Error, context: ReportContext): void {
  try {
    const outcome = reporter(error, context)
    if (outcome instanceof Promise) outcome.catch(() => {})
  } catch {
    // Swallowed by contract: there is nobody left to tell.
  }
}
