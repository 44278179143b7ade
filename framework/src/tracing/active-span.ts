import { performance } from 'node:perf_hooks'
import { maskText } from '../base/mask-text.ts'
import type { SpanIds } from '../activity/activity.ts'
import { RecentTexts } from '../base/encoding/recent-texts.ts'
import { fromEpochMs, unixNano } from './epoch-clock.ts'
import { errorTypeOf, exceptionAttributes } from './exception-attributes.ts'
import type { LocalTrace } from './local-trace.ts'
import {
  descriptionJson,
  failedStatus,
  otlpAttributes,
  ownLibrary,
  unlessEmpty,
} from './otlp-span.ts'
import type {
  FinishedSpan,
  OtlpAttribute,
  OtlpEvent,
  OtlpLink,
  OtlpStatus,
  SpanRecord,
} from './otlp-span.ts'
import { Decisions } from './sampler.ts'
import type { AttributeValue, Span, SpanAttributes, SpanKinds } from './span.ts'
import { newSpanId } from './span-ids.ts'
import type { TraceContext } from './trace-context.ts'

/** What a request says about itself; asked only if its span is exported. */
export interface SpanDetails {
  readonly name: string
  /** The same for all that have the same name and attributes. */
  readonly key: string
  /** `errorType` is empty if it did not fail. */
  attributes(errorType: string): readonly OtlpAttribute[]
}

/** A time as other libraries pass it: epoch or process milliseconds, a date, seconds and nanoseconds. */
export type SpanTime = number | Date | readonly [seconds: number, nanoseconds: number]

/** A root that took longer is kept beyond the ratio. */
const slowMs = 1_000
// Reading it from `performance` takes longer than the rest of a conversion.
const { timeOrigin } = performance
const maxAttributes = 128
const maxEvents = 128
const maxLinks = 32

/** A span that goes on. Its methods are those of OpenTelemetry's `Span`, so that it can be one. */
export class ActiveSpan implements Span, SpanRecord {
  readonly trace: LocalTrace
  readonly isRoot: boolean
  readonly kind: SpanKinds
  readonly startMs: number
  readonly library: string
  #name: string
  /** Undefined for a root of a trace that begins here. */
  readonly #parentId: string | undefined
  #endMs = 0
  #isFailed = false
  #errorType = ''
  #message = ''
  #spanId: string | null = null
  #attributes: Record<string, AttributeValue> | null = null
  #attributeCount = 0
  #events: OtlpEvent[] | null = null
  #links: OtlpLink[] | null = null
  #exception: unknown = null

  /** `parent` is a span of the same trace in this process, or null for a root. */
  constructor(
    trace: LocalTrace,
    parent: ActiveSpan | null,
    name: string,
    kind: SpanKinds,
    startMs: number = performance.now(),
    library: string = ownLibrary,
  ) {
    this.trace = trace
    this.isRoot = parent === null
    this.kind = kind
    this.startMs = startMs
    this.library = library
    this.#name = name
    this.#parentId = parent === null ? trace.remote?.spanId : parent.parentIdAt(startMs)
  }

  get traceId(): string {
    return this.trace.traceId
  }

  get spanId(): string {
    this.#spanId ??= newSpanId()
    return this.#spanId
  }

  /** Whether the collector gets it, as far as is known yet. */
  get sampled(): boolean {
    return this.trace.decision === Decisions.Record
  }

  /** What other processes are told. */
  get context(): TraceContext {
    const { remote } = this.trace
    const { traceId, spanId, sampled } = this
    return { traceId, spanId, sampled, random: remote?.random ?? true, state: remote?.state ?? '' }
  }

  isRecording(): boolean {
    return this.#endMs === 0 && this.trace.decision !== Decisions.Drop
  }

  setAttribute(name: string, value: AttributeValue): this {
    if (!this.isRecording() || value === undefined) return this
    this.#attributes ??= {}
    if (!Object.hasOwn(this.#attributes, name)) {
      if (this.#attributeCount >= maxAttributes) return this
      this.#attributeCount += 1
    }
    this.#attributes[name] = value
    return this
  }

  setAttributes(attributes: SpanAttributes): this {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.setAttribute(name, value)
    }
    return this
  }

  addEvent(name: string, attributes: SpanAttributes | SpanTime = {}, time?: SpanTime): this {
    if (!this.isRecording()) return this
    this.#events ??= []
    if (this.#events.length >= maxEvents) return this
    const [given, at] = isTime(attributes) ? [{}, attributes] : [attributes, time]
    const timeUnixNano = unixNano(toMs(at))
    this.#events.push({ timeUnixNano, name, attributes: unlessEmpty(otlpAttributes(given)) })
    return this
  }

  recordException(error: unknown, time?: SpanTime): this {
    // A throwable is often seen twice: where it is caught, and where it is reported.
    if (!this.isRecording() || this.#exception === error) return this
    this.#exception = error
    if (this.#errorType === '') this.#errorType = errorTypeOf(error)
    return this.addEvent('exception', exceptionAttributes(error), time)
  }

  /** Marks it as failed. */
  fail(errorType = ''): this {
    this.#isFailed = true
    if (this.#errorType === '') this.#errorType = errorType
    return this
  }

  setStatus({ code, message = '' }: { readonly code: number; readonly message?: string }): this {
    if (!this.isRecording()) return this
    this.#isFailed = code === 2
    this.#message = message
    return this
  }

  updateName(name: string): this {
    if (this.isRecording()) this.#name = name
    return this
  }

  /** Names another span that this one comes from without being its child. */
  addLink(link: { readonly context: SpanIds; readonly attributes?: SpanAttributes }): this {
    return this.addLinks([link])
  }

  addLinks(
    links: readonly { readonly context: SpanIds; readonly attributes?: SpanAttributes }[],
  ): this {
    if (!this.isRecording()) return this
    this.#links ??= []
    for (const { context, attributes = {} } of links.slice(0, maxLinks - this.#links.length)) {
      const { traceId, spanId } = context
      this.#links.push({ traceId, spanId, attributes: unlessEmpty(otlpAttributes(attributes)) })
    }
    return this
  }

  spanContext(): { traceId: string; spanId: string; traceFlags: number } {
    const { traceId, spanId, sampled } = this
    return { traceId, spanId, traceFlags: sampled ? 1 : 0 }
  }

  /** Whether it would be exported if it ended now. */
  isWorthIt(nowMs: number): boolean {
    const { decision } = this.trace
    if (decision !== Decisions.Late) return decision === Decisions.Record
    return !this.isRoot || this.#isFailed || nowMs - this.startMs >= slowMs
  }

  /** `details` are those of a root. */
  end(time?: SpanTime, details: SpanDetails | null = null): void {
    if (this.#endMs !== 0) return
    const endMs = Math.max(toMs(time), this.startMs)
    if (this.isRoot) this.trace.conclude(this.isWorthIt(endMs))
    this.#endMs = endMs
    if (this.trace.decision === Decisions.Drop) return
    if (!this.isRoot) return this.trace.add(this)
    this.trace.phases?.export(this.trace.sink, this, endMs)
    this.#write(details)
  }

  /** The id of the span in which something began at this time. */
  parentIdAt(ms: number): string {
    const inside = this.isRoot ? (this.trace.phases?.parentAt(ms) ?? null) : null
    return inside ?? this.spanId
  }

  write(): void {
    this.#write(null)
  }

  #write(details: SpanDetails | null): void {
    const { trace } = this
    try {
      trace.sink.enqueue(this.#finished(details))
    } catch (thrown) {
      trace.sink.countFailed(thrown)
    }
    // Its ids may be kept as an exemplar.
    this.#attributes = null
    this.#events = null
    this.#links = null
    this.#exception = null
  }

  #finished(details: SpanDetails | null): FinishedSpan {
    const { library, traceId, spanId, startMs } = this
    return {
      library,
      traceId,
      spanId,
      parentSpanId: this.#parentId,
      startMs,
      endMs: this.#endMs,
      description: this.#description(details),
    }
  }

  #description(details: SpanDetails | null): string {
    if (details === null || !this.#isPlain()) return this.#describe(details)
    return described.getOr(`${this.kind} ${details.key}`, () => this.#describe(details))
  }

  /** Whether its details say everything. */
  #isPlain(): boolean {
    return (
      !this.#isFailed &&
      this.#attributes === null &&
      this.#events === null &&
      this.#links === null &&
      (this.trace.remote?.state ?? '') === ''
    )
  }

  #describe(details: SpanDetails | null): string {
    const { state = '' } = this.trace.remote ?? {}
    return descriptionJson({
      name: details?.name ?? this.#name,
      kind: this.kind,
      attributes: unlessEmpty(this.#allAttributes(details)),
      traceState: state === '' ? undefined : state,
      events: this.#events ?? undefined,
      links: this.#links ?? undefined,
      status: this.#isFailed ? failedWith(this.#message) : undefined,
    })
  }

  #allAttributes(details: SpanDetails | null): readonly OtlpAttribute[] {
    const errorType = this.#isFailed ? this.#errorType || '_OTHER' : ''
    const own = this.#attributes === null ? [] : otlpAttributes(this.#attributes)
    if (details !== null) return [...details.attributes(errorType), ...own]
    return errorType === '' ? own : [...own, ...otlpAttributes({ 'error.type': errorType })]
  }
}

// Requests repeat.
const described = new RecentTexts<string>(1_000)

function failedWith(message: string): OtlpStatus {
  return message === '' ? failedStatus : { code: 2, message: maskText(message) }
}

function isTime(value: SpanAttributes | SpanTime): value is SpanTime {
  return typeof value === 'number' || value instanceof Date || Array.isArray(value)
}

function toMs(time: SpanTime | undefined): number {
  return time === undefined ? performance.now() : toProcessMs(time)
}

/** A given time as one of `performance.now()`. */
export function toProcessMs(time: SpanTime): number {
  if (time instanceof Date) return fromEpochMs(time.getTime())
  if (typeof time !== 'number') return fromEpochMs(time[0] * 1_000 + time[1] / 1e6)
  return time < timeOrigin ? time : fromEpochMs(time)
}
