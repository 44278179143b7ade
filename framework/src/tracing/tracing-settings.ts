import { env } from '../settings/env.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { readScopes, scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'
import { otlpSettings } from '../otlp/otlp-settings.ts'
import { Samplers } from './sampler.ts'
import type { TracingOptions } from './tracing.ts'

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

const propagatorNames: ReadonlySet<string> = new Set(['tracecontext', 'baggage', 'none'])

const propagatorList: VariableKind<readonly string[]> = {
  expects: '"tracecontext" or "none"; "baggage" may be listed and is not passed on',
  parse(text) {
    const names = text.split(',').map((name) => name.trim())
    return names.every((name) => propagatorNames.has(name)) ? names : undefined
  },
}

const maxMs = 3_600_000

/** The scope `tracing`: whether and how spans are recorded and exported. */
export const tracingScope: ConfigScope<{
  readonly exporter: Variable<'none' | 'otlp'>
  readonly isDisabled: Variable<boolean>
  readonly sampler: Variable<Samplers | null>
  readonly ratio: Variable<number>
  readonly propagators: Variable<readonly string[]>
  readonly trust: Variable<TraceTrust>
  readonly delayMs: Variable<number>
  readonly maxQueue: Variable<number>
  readonly maxBatch: Variable<number>
  readonly exportTimeoutMs: Variable<number>
}> = scope('tracing', {
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
  const { given } = readScopes({ given: tracingScope }, source)
  const { isWholeUrl, ...otlp } = otlpSettings('TRACES', source)
  return {
    ...given,
    ...otlp,
    path: isWholeUrl ? '' : '/v1/traces',
    propagates: given.propagators.includes('tracecontext'),
  }
}
