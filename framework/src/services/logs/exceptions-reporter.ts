import { className } from '../../base/reports/class-name.ts'
import { throwPoint } from '../../base/stack/frames.ts'
import type { Reporter } from '../../base/throwables/throwables.ts'
import type { Logs } from './logs.ts'

/** Origins of throwables that end the process: their line must be written immediately. */
const fatalOrigins = new Set<unknown>(['exception', 'fatal'])

/** A reporter that logs each throwable to the channel `exceptions`. */
export function exceptionsReporter(logs: Logs): Reporter {
  return (error, context) => {
    const location = throwPoint(error)
    logs.channel('exceptions').error(error.message, {
      class: className(error),
      file: location?.file ?? '',
      line: location?.line ?? 0,
      ...context,
    })
    if (fatalOrigins.has(context['origin'])) logs.flushSync()
  }
}
