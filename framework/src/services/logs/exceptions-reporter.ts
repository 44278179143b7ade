import { className } from '../../base/reports/class-name.ts'
import { throwPoint } from '../../base/stack/frames.ts'
import type { Reporter } from '../../base/throwables/throwables.ts'
import type { Logs } from './logs.ts'

/** What comes from a process that is about to end: its line must not wait. */
const lastWords = new Set<unknown>(['exception', 'fatal'])

/** A reporter that writes a line for each throwable to the channel `exceptions`. */
export function exceptionsReporter(logs: Logs): Reporter {
  return (error, context) => {
    const place = throwPoint(error)
    logs.channel('exceptions').error(error.message, {
      class: className(error),
      file: place?.file ?? '',
      line: place?.line ?? 0,
      ...context,
    })
    if (lastWords.has(context['origin'])) logs.flushSync()
  }
}
