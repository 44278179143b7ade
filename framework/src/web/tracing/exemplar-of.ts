import type { SpanIds } from '../../services/activity/activity.ts'
import { isOpenSpan } from '../../services/tracing/tracer.ts'
import type { Request } from '../request/request.ts'

/** The span of a request, for the metrics that count it; undefined unless the collector gets that span. */
export function exemplarOf({ activity, isWatched }: Request): SpanIds | undefined {
  if (!isWatched) return undefined
  const span = activity?.span ?? null
  return isOpenSpan(span) && span.sampled ? span : undefined
}
