import type { SpanIds } from '../activity/activity.ts'

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

const maxMembers = 32
/** What every receiver accepts; a longer list is shortened. */
const maxLength = 512
/** Longer entries are the first to go. */
const longEntry = 128

const member =
  /^([a-z0-9][a-z0-9_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/**
 * Checks the value of the header `tracestate`, several joined by commas, and returns it without blanks
 * around its entries. Empty if it is invalid or has more than 32 entries. Of two entries with the same
 * key the first one, which is newer, is kept.
 */
function parseTraceState(text: string): string {
  if (text === '') return ''
  const entries = new Map<string, string>()
  let members = 0
  for (const part of text.split(',')) {
    const entry = trimmed(part)
    if (entry === '') continue
    const key = member.exec(entry)?.[1]
    members += 1
    if (key === undefined || members > maxMembers) return ''
    if (!entries.has(key)) entries.set(key, entry)
  }
  return shorten([...entries.values()])
}

// As the recommendation asks: first long entries, then from the end.
function shorten(entries: readonly string[]): string {
  const whole = entries.join(',')
  if (whole.length <= maxLength) return whole
  const kept = entries.filter(({ length }) => length <= longEntry)
  while (kept.join(',').length > maxLength) kept.pop()
  return kept.join(',')
}
