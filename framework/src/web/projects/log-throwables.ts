import type { ReportContext, Throwables } from '../../base/debugging/throwables.ts'
import type { Logs } from '../../services/logs/logs.ts'

/** Writes each throwable that is reported to the channel `exceptions`; the answer ends that. */
export function logThrowables(throwables: Throwables, logs: Logs): () => void {
  const reporter = (error: Error, context: ReportContext): void => {
    const { name, message, stack } = error
    logs.channel('exceptions').error(message, { class: name, ...context, stack })
  }
  throwables.reporters.push(reporter)
  return () => {
    const at = throwables.reporters.indexOf(reporter)
    if (at !== -1) throwables.reporters.splice(at, 1)
  }
}
