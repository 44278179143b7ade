import { isSecret } from '../base/is-secret-key.ts'
import { REDACTED, maskText } from '../base/mask-text.ts'
import { unixNano } from './epoch-clock.ts'
import type { SpanAttributes, SpanKinds } from './span.ts'

/** A finished span, as OTLP/JSON has it; what is undefined is left out. */
export interface OtlpSpan extends SpanDescription {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

/** A span without its ids and times. */
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
  /** Queues a span for export; `library` is the one that made it. */
  enqueue(library: string, span: OtlpSpan): void
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

/** Puts a span together; times are those of `performance.now()`. */
export function otlpSpan(
  traceId: string,
  spanId: string,
  parentSpanId: string | undefined,
  startMs: number,
  endMs: number,
  { name, kind, attributes, traceState, events, links, status }: SpanDescription,
): OtlpSpan {
  return {
    traceId,
    spanId,
    parentSpanId,
    traceState,
    startTimeUnixNano: unixNano(startMs),
    endTimeUnixNano: unixNano(endMs),
    name: cut(name),
    kind,
    attributes,
    events,
    links,
    status,
  }
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
