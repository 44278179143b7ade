import { performance } from 'node:perf_hooks'
import { hostname } from 'node:os'
import { Throwables } from '../errors/throwables/throwables.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Step, StepWatcher } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { ActiveSpan } from './active-span.ts'
import { traceFetches } from './fetch-spans.ts'
import { LocalTrace, randomnessOf } from './local-trace.ts'
import { Decisions, droppedBelow, samplerOf } from './sampler.ts'
import type { Sampler, Samplers } from './sampler.ts'
import { SpanKinds } from './span.ts'
import type { SpanExporterOptions } from './span-exporter.ts'
import { measureSpans, spanCounts } from './span-metrics.ts'
import { randomWord } from './span-ids.ts'
import { isSpanStep, exportStep } from './step-span.ts'
import { Tracers } from './tracer.ts'
import type { RootOptions, Tracer } from './tracer.ts'
import { receiverAt } from '../otlp/receiver.ts'
import { systemClock } from '../otlp/deliver.ts'
import type { ShipClock } from '../otlp/deliver.ts'
import type { SpanAttributes } from './span.ts'
import { SpanExporter } from './span-exporter.ts'
import { otlpAttributes } from './otlp-span.ts'

/** Options of `createTracing`. */
export interface TracingOptions extends Pick<
  SpanExporterOptions,
  'maxQueue' | 'maxBatch' | 'delayMs' | 'compression' | 'told'
> {
  /** URL of the collector. User info in it is sent as an `Authorization` header. */
  readonly endpoint: string
  /** Appended to the path of the endpoint; may be empty. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Time for one attempt; 0 means no limit. */
  readonly timeoutMs: number
  /** The attribute `service.name`. */
  readonly service: string
  /** More attributes of the resource. */
  readonly attributes: SpanAttributes
  /** Null for the default. */
  readonly sampler: Samplers | null
  /** From 0 to 1. */
  readonly ratio: number
  /** Whether `traceparent` is read and sent. */
  readonly propagates: boolean
  /** Time for one export with all its attempts. */
  readonly exportTimeoutMs: number
  /** Replaceable in tests. @default systemClock */
  readonly clock?: ShipClock
}

/** Time for the last export. */
const closeTimeoutMs = 5_000

/** Records spans in this process and exports them. */
export class Tracing implements Tracer, StepWatcher {
  readonly propagates: boolean
  readonly onlyTraced = true
  readonly #sampler: Sampler
  /** Which randomness is dropped at once in traces that begin here. */
  readonly #droppedBelow: number
  /** Whether the sampler keeps what fails or is slow beyond the ratio. */
  readonly #keepsFailed: boolean
  readonly #exporter: SpanExporter
  #stops: (() => void)[] = []

  constructor(exporter: SpanExporter, { sampler, ratio, propagates }: TracingOptions) {
    this.#sampler = samplerOf(sampler, ratio)
    this.#droppedBelow = droppedBelow(sampler, ratio)
    this.#keepsFailed = sampler === null
    this.#exporter = exporter
    this.propagates = propagates
  }

  /** Begins to record. */
  start(): this {
    this.#stops.push(
      CurrentWork.follow(),
      Steps.Instance.watch(this),
      traceFetches(this.propagates),
      measureSpans(),
      Throwables.add((error) => {
        const { span } = CurrentWork.context()
        if (span instanceof ActiveSpan) span.recordException(error)
      }),
      () => {
        if (Tracers.current === this) Tracers.current = null
      },
    )
    Tracers.current = this
    return this
  }

  /** Stops recording and exports what is left, within the time. */
  async close(timeoutMs: number = closeTimeoutMs): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    await this.#exporter.close(timeoutMs)
  }

  root(name: string, options: RootOptions): ActiveSpan {
    return this.#begin(new LocalTrace(this.#exporter, options.parent ?? null), name, options)
  }

  /**
   * Begins the root of a request that continues no other trace. Null if it is dropped at once: then
   * nothing is made, and `droppedRoot` has its ids if somebody asks. While more spans come than can be
   * exported whole traces are left out, which costs less than parts of all, and says more.
   */
  requestRoot(name: string): ActiveSpan | null {
    const high = randomWord()
    const low = randomWord()
    if (randomnessOf(high, low) < this.#droppedBelow) return null
    const { isOverloaded } = this.#exporter
    if (isOverloaded && !this.#keepsFailed) {
      this.#exporter.countDropped()
      return null
    }
    const trace = new LocalTrace(this.#exporter, null, high, low)
    const span = this.#begin(trace, name, { kind: SpanKinds.Server })
    if (isOverloaded && trace.decision === Decisions.Record) {
      trace.decision = Decisions.Late
      this.#exporter.countDropped()
    }
    return span
  }

  /** The root of a request that was dropped. */
  droppedRoot(): ActiveSpan {
    let high = randomWord()
    let low = randomWord()
    // Other services that see the id must come to the same decision.
    while (this.#droppedBelow > 0 && randomnessOf(high, low) >= this.#droppedBelow) {
      high = randomWord()
      low = randomWord()
    }
    return new ActiveSpan(
      new LocalTrace(this.#exporter, null, high, low),
      null,
      '',
      SpanKinds.Server,
      0,
    )
  }

  #begin(trace: LocalTrace, name: string, options: RootOptions): ActiveSpan {
    const { kind, parent = null, cause = null, library } = options
    trace.decision = this.#sampler({
      parentSampled: (parent ?? cause)?.sampled ?? null,
      isOwnRoot: parent === null,
      randomness: trace.randomness,
    })
    // Of what is not recorded nobody asks when it began.
    const { startMs = trace.decision === Decisions.Drop ? 0 : performance.now() } = options
    const span = new ActiveSpan(trace, null, name, kind, startMs, library)
    if (cause !== null) span.addLink({ context: cause })
    return span
  }

  span(name: string): ActiveSpan {
    const { span } = CurrentWork.context()
    if (!(span instanceof ActiveSpan)) return this.root(name, { kind: SpanKinds.Internal })
    // Nothing of this trace is exported.
    if (span.trace.decision === Decisions.Drop) return span
    return new ActiveSpan(span.trace, span, name, SpanKinds.Internal)
  }

  ended(step: Step): void {
    const { span } = step.context
    if (!(span instanceof ActiveSpan) || span.trace.decision === Decisions.Drop) return
    if (!isSpanStep(step)) return
    const { trace } = span
    trace.lastMs = step.startMs + step.durationMs
    if (trace.decision === Decisions.Record) exportStep(step, span)
    else trace.add({ write: () => exportStep(step, span) })
  }
}

const maxAttempts = 5

/**
 * Creates what records and exports spans; nothing is recorded before `start`.
 * @throws InvalidArgumentException for an invalid endpoint or header.
 */
export function createTracing(options: TracingOptions): Tracing {
  const { endpoint, path, headers, timeoutMs, exportTimeoutMs, maxQueue, maxBatch } = options
  const exporter = new SpanExporter(
    {
      receiver: receiverAt(endpoint, headers, path),
      resource: resourceJson(options.service, options.attributes),
      maxQueue,
      maxBatch: Math.min(maxBatch, maxQueue),
      delayMs: options.delayMs,
      compression: options.compression,
      delivery: {
        attempts: maxAttempts,
        retryFor: exportTimeoutMs / 1_000,
        timeoutMs,
        clock: options.clock ?? systemClock,
      },
      told: options.told,
    },
    spanCounts,
  )
  return new Tracing(exporter, options)
}

/**
 * The resource of every span as OTLP JSON: what runs here. Given attributes replace
 * computed ones, except for the name of the service.
 */
function resourceJson(service: string, given: SpanAttributes): string {
  const attributes = {
    'service.instance.id': hostname(),
    'host.name': hostname(),
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    'telemetry.sdk.name': 'framework',
    'telemetry.sdk.language': 'nodejs',
    ...given,
    'service.name': service,
  }
  return JSON.stringify({ attributes: otlpAttributes(attributes) })
}
