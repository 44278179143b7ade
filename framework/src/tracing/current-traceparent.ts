import { CurrentWork } from '../activity/current-work.ts'
import { formatTraceparent } from './trace-context.ts'
import { isOpenSpan } from './tracer.ts'

/** The `traceparent` of the current span; null without one. */
export function currentTraceparent(): string | null {
  const { span } = CurrentWork.context()
  return isOpenSpan(span) ? formatTraceparent(span.context) : null
}
