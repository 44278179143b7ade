import { Scopes } from '../activity/scopes.ts'
import type { ScopeFields } from '../activity/scopes.ts'

/** Fields for the `extra` of lines, such as `request`. */
export type LogFields = ScopeFields

/** Fields added to every line that is logged inside `run`, across awaits. */
export const LogContext: {
  /** Runs `fn` with these fields in addition to the current ones, and returns its result. */
  run<T>(fields: LogFields, fn: () => T): T
  /** The current fields: those of `run`, and what the line belongs to. */
  current(): LogFields
} = Object.freeze({
  run<T>(fields: LogFields, fn: () => T): T {
    return Scopes.runFields(fields, fn)
  },
  current() {
    const { activity, span, fields } = Scopes.current()
    if (activity === null && span === null) return fields
    return {
      ...(activity !== null && { [activity.kind]: activity.id }),
      ...(span !== null && { trace: span.traceId, span: span.spanId }),
      ...fields,
    }
  },
})
