import { writeErrorOutput } from './error-output.ts'
import { rememberLoads } from '../crash-reports/loaded-files.ts'
import { parseError } from '../crash-reports/parse-error.ts'
import { toError } from './to-error.ts'

/** Who is told of a throwable that nobody caught. */
export interface Told {
  /** Whether the process ends. */
  readonly exit: boolean
  notify(throwable: unknown, context: Readonly<Record<string, unknown>>): void
  report(throwable: unknown): void
}

/** What a process waits for before it ends. */
export interface Waiting {
  readonly some: boolean
  settled(withinMs: number): Promise<void>
}

/** How a process ends that nobody kept from it. */
const uncaughtStatus = 255
/** Reporters and whoever reads our output get this long. */
const maxWaitMs = 2_000

/** Handles, in this process, what nobody catches; the answer ends that. */
export function handleUncaught(told: Told, reports: Waiting): () => void {
  let leaving = false
  const handle = (thrown: unknown): void => {
    tell(thrown, told)
    // One that comes while others are waited for is told, but nobody waits longer for it.
    if (leaving || !told.exit) return
    leaving = true
    leave(reports)
  }
  const forgetLoads = rememberLoads()
  process.on('uncaughtException', handle)
  // Node would hand this on as an exception, but a reason that is no error only as a word.
  process.on('unhandledRejection', handle)
  return () => {
    process.off('uncaughtException', handle)
    process.off('unhandledRejection', handle)
    forgetLoads()
  }
}

function tell(thrown: unknown, told: Told): void {
  try {
    const error = toError(thrown)
    const fatal = parseError(error)
    told.notify(fatal ?? error, { origin: fatal === null ? 'exception' : 'fatal' })
    told.report(fatal ?? error)
  } catch {
    // A handler that throws would hide what it was called for.
    writeErrorOutput('something was thrown that cannot be shown\n')
  }
}

function leave(reports: Waiting): void {
  // Also for a program that ends by itself meanwhile, or says another status.
  process.once('exit', () => {
    process.exitCode = uncaughtStatus
  })
  if (!reports.some && unwritten().length === 0) process.exit(uncaughtStatus)
  const endMs = performance.now() + maxWaitMs
  void reports
    .settled(maxWaitMs)
    .then(() => written(endMs - performance.now()))
    .finally(() => process.exit(uncaughtStatus))
}

/** The output streams that hold something their readers have not taken yet. */
function unwritten(): NodeJS.WriteStream[] {
  return (['stdout', 'stderr'] as const).flatMap((name) => {
    try {
      const stream = process[name]
      return stream.writable && stream.writableLength > 0 ? [stream] : []
    } catch {
      // Its descriptor is closed.
      return []
    }
  })
}

function written(withinMs: number): Promise<void> {
  const all = unwritten().map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  )
  return new Promise((resolve) => {
    setTimeout(resolve, withinMs)
    void Promise.all(all).then(() => resolve())
  })
}
