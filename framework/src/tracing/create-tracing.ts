import { hostname } from 'node:os'
import { receiverAt } from '../otlp/receiver.ts'
import { systemClock } from '../otlp/ship-clock.ts'
import type { ShipClock } from '../otlp/ship-clock.ts'
import { droppedBelow, samplerOf } from './sampler.ts'
import type { Samplers } from './sampler.ts'
import type { SpanAttributes } from './span.ts'
import { SpanExporter } from './span-exporter.ts'
import type { SpanExporterOptions } from './span-exporter.ts'
import { spanCounts } from './span-metrics.ts'
import { Tracing } from './tracing.ts'
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
  const { propagates, sampler, ratio } = options
  return new Tracing({
    sampler: samplerOf(sampler, ratio),
    droppedBelow: droppedBelow(sampler, ratio),
    keepsFailed: sampler === null,
    exporter,
    propagates,
  })
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
