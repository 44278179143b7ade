import { isSecret } from '../base/is-secret-key.ts'
import { REDACTED, maskText } from '../base/mask-text.ts'
import { unixNano } from './epoch-clock.ts'
import type { SpanAttributes, SpanKinds } from './span.ts'

/** A finished span that waits for its export. */
export interface FinishedSpan {
  /** The library that made it. */
  readonly library: string
  readonly traceId: string
  readonly spanId: string
  /** Undefined for a root. */
  readonly parentSpanId: string | undefined
  /** By `performance.now()`. */
  readonly startMs: number
  readonly endMs: number
  /** The rest of it, see `descriptionJson`. */
  readonly description: string
}

/** A span without its ids and times, as OTLP has it; what is undefined is left out. */
export interface SpanDescription {
  readonly name: string
  readonly kind: SpanKinds
  readonly attributes: readonly OtlpAttribute[] | undefined
  readonly traceState?: string | undefined
  readonly events?: readonly OtlpEvent[] | undefined
  readonly links?: readonly OtlpLink[] | undefined
  readonly status?: OtlpStatus | undefined
}

/** An attribute, redacted and bounded. */
export interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }

/** Something that happened during a span. */
export interface OtlpEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly OtlpAttribute[] | undefined
}

/** Another span that it is related to. */
export interface OtlpLink {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: readonly OtlpAttribute[] | undefined
}

/** The status of a failed span. */
export interface OtlpStatus {
  readonly code: 2
  readonly message?: string
}

/** The status of a failed span that says no more. */
export const failedStatus: OtlpStatus = Object.freeze({ code: 2 })

/** The instrumentation scope of the framework's own spans. */
export const ownLibrary = 'framework'

/** Takes finished spans. */
export interface SpanSink {
  /** Queues a span for export. */
  enqueue(span: FinishedSpan): void
  /** Counts a span for which there is no space. */
  countDropped(): void
  /** Counts a span that cannot be encoded. */
  countFailed(thrown: unknown): void
}

/** A finished span that waits for the end of its root. */
export interface SpanRecord {
  /** Queues it for export. Called once. */
  write(): void
}

/** Longer texts are cut. */
const maxLength = 4_096
const maxItems = 64

/** The end of the JSON of a span, behind its ids and times. It is the same for many: then it is worth keeping. */
export function descriptionJson(description: SpanDescription): string {
  return JSON.stringify({ ...description, name: cut(description.name) }).slice('{'.length)
}

/** A whole span as JSON. */
export function spanJson(span: FinishedSpan): string {
  const { traceId, spanId, parentSpanId, startMs, endMs, description } = span
  const parent = parentSpanId === undefined ? '' : `"parentSpanId":"${parentSpanId}",`
  const times = `"startTimeUnixNano":"${unixNano(startMs)}","endTimeUnixNano":"${unixNano(endMs)}"`
  return `{"traceId":"${traceId}","spanId":"${spanId}",${parent}${times},${description}`
}

/** Attributes as OTLP has them, redacted and bounded. */
export function otlpAttributes(attributes: SpanAttributes): readonly OtlpAttribute[] {
  const list: OtlpAttribute[] = []
  for (const [key, given] of Object.entries(attributes)) {
    const value = given === undefined ? null : otlpValue(isSecret(key, given) ? REDACTED : given)
    if (value !== null) list.push({ key: cut(key), value })
  }
  return list
}

/** A list of attributes, or undefined if it is empty. */
export function unlessEmpty(list: readonly OtlpAttribute[]): readonly OtlpAttribute[] | undefined {
  return list.length === 0 ? undefined : list
}

// They may come from untyped code: what OTLP cannot express is left out.
function otlpValue(value: unknown): OtlpValue | null {
  if (typeof value === 'string') return { stringValue: cut(maskText(value)) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Array.isArray(value)) {
    return {
      arrayValue: { values: value.slice(0, maxItems).flatMap((one) => otlpValue(one) ?? []) },
    }
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function cut(text: string): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).toWellFormed()
}
