import type { Reporter } from '../errors/throwables/throwables.ts'
import { incidentOf, isFatal } from '../incidents/incident.ts'
import { exceptionLine } from './exception-line.ts'
import { LogContext } from './log-context.ts'
import type { Logs } from './logs.ts'

/** Options of `exceptionsReporter`. */
export interface ExceptionsReporterOptions {
  /** Folder of the project, which the paths in a stack are relative to. @default the current folder */
  readonly root?: string
}

/**
 * A reporter that logs each throwable to the channel `exceptions`: its class, message, place, stack and
 * causes, and the request, route, account, trace and statement it belongs to. A line has at most 8 KB.
 */
export function exceptionsReporter(
  logs: Logs,
  { root = currentFolder() }: ExceptionsReporterOptions = {},
): Reporter {
  return (error, context) => {
    const channel = logs.channel('exceptions')
    if (channel.isEnabled('error')) {
      const incident = incidentOf(error, context, Date.now() / 1_000)
      channel.writeJson('error', exceptionLine(incident, LogContext.current(), root))
    }
    // The process ends: its line must be written immediately.
    if (isFatal({ context })) logs.flushSync()
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    // It was deleted: paths stay absolute.
    return import.meta.filename
  }
}
