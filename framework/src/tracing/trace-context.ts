import type { SpanIds } from '../activity/activity.ts'
import { parseTraceState } from './trace-state.ts'

/** A position in a trace as it travels between processes: W3C Trace Context, level 2. */
export interface TraceContext extends SpanIds {
  /** Whether the other process may have recorded it. */
  readonly sampled: boolean
  /** Whether the right half of the trace id is known to be random. */
  readonly random: boolean
  /** The entries of other tracing systems, passed on unchanged; empty if there are none. */
  readonly state: string
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const sampledBit = 1
const randomBit = 2

/**
 * Reads the headers `traceparent` and `tracestate`. Null if the first is missing, repeated or invalid;
 * then a new trace begins. An invalid second one is only left out.
 */
export function parseTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | null {
  const [, version = 'ff', traceId = '', spanId = '', flags = '', rest = ''] =
    form.exec(trimmed(traceparent ?? '')) ?? []
  if (version === 'ff' || isZero(traceId) || isZero(spanId)) return null
  // Only a later version may append something.
  if (version === '00' && rest !== '') return null
  const bits = Number.parseInt(flags, 16)
  return {
    traceId,
    spanId,
    sampled: (bits & sampledBit) !== 0,
    // Of a later version only the first bit is known.
    random: version === '00' && (bits & randomBit) !== 0,
    state: parseTraceState(tracestate ?? ''),
  }
}

/** Writes the header `traceparent`. */
export function formatTraceparent({
  traceId,
  spanId,
  sampled,
  random,
}: Omit<TraceContext, 'state'>): string {
  const flags = (sampled ? sampledBit : 0) | (random ? randomBit : 0)
  return `00-${traceId}-${spanId}-0${flags}`
}

function trimmed(text: string): string {
  return text.replaceAll(/^[ \t]+|[ \t]+$/g, '')
}

function isZero(id: string): boolean {
  return /^0*$/.test(id)
}
