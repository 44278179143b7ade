import { Samplers } from '../../services/tracing/sampler.ts'
import type { SpanAttributes } from '../../services/tracing/span.ts'
import type { TracingOptions } from '../../services/tracing/create-tracing.ts'
import { collectorVariables } from './collector-variables.ts'
import { env } from './env.ts'
import type { EnvSource } from './env-source.ts'
import { readScopes, scope } from './scope.ts'
import type { ConfigScope } from './scope.ts'
import type { Variable, VariableKind } from './variable.ts'

/** Whose `traceparent` is continued. */
export const TraceTrust = {
  /** Clients on this machine and in private networks. */
  Private: 'private',
  /** Also what a proxy in TRUSTED_PROXIES sends on behalf of a client: it must set or remove the header. */
  Proxies: 'proxies',
} as const
Object.freeze(TraceTrust)
export type TraceTrust = (typeof TraceTrust)[keyof typeof TraceTrust]

/** The settings of traces that come from the environment. */
export interface TracingSettings extends Omit<TracingOptions, 'told' | 'service'> {
  /** The attribute `service.name`; null for the name of the project. */
  readonly service: string | null
  readonly trust: TraceTrust
}

/** The scope `tracing` has the variables of OpenTelemetry that concern traces only. */
export type TracingScope = ConfigScope<{
  readonly exporter: Variable<'none' | 'otlp'>
  readonly isDisabled: Variable<boolean>
  readonly sampler: Variable<Samplers | null>
  readonly ratio: Variable<number>
  readonly propagators: Variable<readonly string[]>
  readonly trust: Variable<TraceTrust>
  readonly attributes: Variable<SpanAttributes | null>
  readonly endpoint: Variable<string | null>
  readonly headers: Variable<Readonly<Record<string, string>> | null>
  readonly timeoutMs: Variable<number | null>
  readonly compression: Variable<TracingOptions['compression'] | null>
  readonly protocol: Variable<'http/json'>
  readonly tracesProtocol: Variable<'http/json'>
  readonly delayMs: Variable<number>
  readonly maxQueue: Variable<number>
  readonly maxBatch: Variable<number>
  readonly exportTimeoutMs: Variable<number>
}>

const onlyJson: VariableKind<'http/json'> = {
  expects: '"http/json": it is the only protocol here, and collectors take it on the same port',
  parse: (text) => (text === 'http/json' ? text : undefined),
}

const propagatorNames: ReadonlySet<string> = new Set(['tracecontext', 'baggage', 'none'])

const propagatorList: VariableKind<readonly string[]> = {
  expects: '"tracecontext" or "none"; "baggage" may be listed and is not passed on',
  parse(text) {
    const names = text.split(',').map((name) => name.trim())
    return names.every((name) => propagatorNames.has(name)) ? names : undefined
  },
}

const attributePairs: VariableKind<SpanAttributes> = {
  expects: 'pairs such as "service.version=1.2,team=shop" with URL-encoded values',
  parse: parseAttributes,
}

const { endpoint, headers, timeoutMs, compression, service } = collectorVariables
const maxMs = 3_600_000

/** The scope `tracing`: whether and how spans are recorded and exported. */
export const tracingScope: TracingScope = scope('tracing', {
  exporter: env.choice('OTEL_TRACES_EXPORTER', ['none', 'otlp'], {
    default: 'none',
    meaning: 'otlp records traces and sends them to a collector',
  }),
  isDisabled: env.boolean('OTEL_SDK_DISABLED', {
    default: false,
    meaning: 'turns traces off, whatever else is set',
  }),
  sampler: env.optional(
    env.choice('OTEL_TRACES_SAMPLER', Object.values(Samplers), {
      meaning:
        'which traces are recorded; by default a share of them, and all that fail or are slow',
    }),
  ),
  ratio: env.number('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    min: 0,
    max: 1,
    meaning: 'share of the traces that are recorded',
  }),
  propagators: env.custom('OTEL_PROPAGATORS', propagatorList, {
    default: Object.freeze(['tracecontext']),
    meaning: 'how traces continue in other processes',
  }),
  trust: env.choice('TRACE_TRUST', Object.values(TraceTrust), {
    default: TraceTrust.Private,
    meaning: 'whose traces are continued: private networks, or also what trusted proxies send',
  }),
  attributes: env.optional(
    env.custom('OTEL_RESOURCE_ATTRIBUTES', attributePairs, {
      meaning: 'attributes of every span, as name=value,other=value',
    }),
  ),
  endpoint: env.optional(
    env.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
      schemes: ['http', 'https'],
      meaning: 'address for traces, used as it is',
      secret: true,
    }),
  ),
  headers: env.optional({
    ...headers,
    name: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    meaning: 'headers for traces, instead of those for everything',
  }),
  timeoutMs: env.optional({
    ...timeoutMs,
    name: 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
    meaning: 'milliseconds for one attempt to send traces',
  }),
  compression: env.optional({
    ...compression,
    name: 'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION',
    meaning: 'compression of traces: none or gzip',
  }),
  protocol: env.custom('OTEL_EXPORTER_OTLP_PROTOCOL', onlyJson, {
    default: 'http/json',
    meaning: 'protocol of the collector',
  }),
  tracesProtocol: env.custom('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', onlyJson, {
    default: 'http/json',
    meaning: 'protocol of the collector for traces',
  }),
  delayMs: env.integer('OTEL_BSP_SCHEDULE_DELAY', {
    default: 5_000,
    min: 1,
    max: maxMs,
    meaning: 'milliseconds between two exports of spans',
  }),
  maxQueue: env.integer('OTEL_BSP_MAX_QUEUE_SIZE', {
    default: 2_048,
    min: 1,
    max: 1_000_000,
    meaning: 'spans that may wait; more are dropped',
  }),
  maxBatch: env.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', {
    default: 512,
    min: 1,
    max: 100_000,
    meaning: 'spans of one export',
  }),
  exportTimeoutMs: env.integer('OTEL_BSP_EXPORT_TIMEOUT', {
    default: 30_000,
    min: 1,
    max: maxMs,
    meaning: 'milliseconds for one export with all its attempts',
  }),
})

/**
 * The settings of traces; null while they are off.
 * @throws ConfigurationError that lists all invalid values and shows no secret.
 */
export function tracingSettings(source: EnvSource): TracingSettings | null {
  const { exporter, isDisabled } = tracingScope.variables
  const { on } = readScopes({ on: scope('tracing', { exporter, isDisabled }) }, source)
  if (on.exporter === 'none' || on.isDisabled) return null
  const shared = scope('shipping', {
    endpoint,
    headers,
    timeoutMs,
    compression,
    service: env.optional(service),
  })
  const { given, all } = readScopes({ given: tracingScope, all: shared }, source)
  const attributes = given.attributes ?? {}
  return {
    ...given,
    attributes,
    endpoint: given.endpoint ?? all.endpoint,
    path: given.endpoint === null ? '/v1/traces' : '',
    headers: given.headers ?? all.headers,
    timeoutMs: given.timeoutMs ?? all.timeoutMs,
    compression: given.compression ?? all.compression,
    service: all.service ?? textOf(attributes['service.name']),
    propagates: given.propagators.includes('tracecontext'),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function parseAttributes(text: string): SpanAttributes | undefined {
  const pairs: [string, string][] = []
  for (const entry of text.split(',')) {
    if (entry.trim() === '') continue
    const sign = entry.indexOf('=')
    if (sign < 1) return undefined
    try {
      const name = decodeURIComponent(entry.slice(0, sign).trim())
      pairs.push([name, decodeURIComponent(entry.slice(sign + 1).trim())])
    } catch {
      return undefined
    }
  }
  return Object.fromEntries(pairs)
}
