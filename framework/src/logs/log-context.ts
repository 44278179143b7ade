import { CurrentWork } from '../activity/current-work.ts'
import type { WorkFields } from '../activity/current-work.ts'

/** Fields for the `extra` of lines, such as `request`. */
export type LogFields = WorkFields

/** Fields added to every line that is logged inside `run`, across awaits. */
export const LogContext = {
  /** Runs `fn` with these fields in addition to the current ones, and returns its result. */
  run<T>(fields: LogFields, fn: () => T): T {
    return CurrentWork.runFields(fields, fn)
  },

  /** The current fields: those of `run`, and what the line belongs to. */
  current(): LogFields {
    const { activity, span, fields } = CurrentWork.context()
    if (activity === null && span === null) return fields
    return {
      ...(activity !== null && { [activity.kind]: activity.id }),
      ...(span !== null && { trace: span.traceId, span: span.spanId }),
      ...fields,
    }
  },
} as const
Object.freeze(LogContext)
