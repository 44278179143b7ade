import { Scopes } from '../activity/scopes.ts'
import { formatTraceparent } from './trace-context.ts'
import { isOpenSpan } from './tracer.ts'

/** The `traceparent` of the current span; null without one. */
export function currentTraceparent(): string | null {
  const { span } = Scopes.current()
  return isOpenSpan(span) ? formatTraceparent(span.context) : null
}
