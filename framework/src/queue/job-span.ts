import { messagingAttributes } from '../tracing/messaging-attributes.ts'
import { SpanKinds } from '../tracing/span.ts'
import { parseTraceContext } from '../tracing/trace-context.ts'
import { Tracers } from '../tracing/tracer.ts'
import type { OpenSpan } from '../tracing/tracer.ts'
import { JobOutcomes } from './job-result.ts'
import type { JobResult } from './job-result.ts'
import type { LeasedJob } from './job-store.ts'

/**
 * Begins the span of one attempt; null while tracing is off. It begins a trace of its own, because a job
 * may run much later and several times, and is linked to the span that pushed the job.
 */
export function beginJobSpan(
  { queue, id, attempt }: LeasedJob,
  origin: string | null,
): OpenSpan | null {
  if (Tracers.current === null) return null
  const cause = parseTraceContext(origin ?? undefined, undefined)
  const span = Tracers.current.root(`process ${queue}`, { kind: SpanKinds.Consumer, cause })
  return span.setAttributes({
    ...messagingAttributes(queue, 'process'),
    'messaging.message.id': id,
    'framework.job.attempt': attempt,
  })
}

/** Ends the span of an attempt. */
export function endJobSpan(span: OpenSpan, { outcome }: JobResult): void {
  span.setAttribute('framework.job.outcome', outcome)
  if (outcome === JobOutcomes.Failed || outcome === JobOutcomes.Dead) span.fail()
  span.end()
}
