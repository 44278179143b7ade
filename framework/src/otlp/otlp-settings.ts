import type { Compressions } from './compressions.ts'
import { collectorVariables } from './collector-variables.ts'
import { env } from '../settings/env.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { parseAttributes } from './resource-attributes.ts'
import { readScopes, scope } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

/** How one kind of telemetry is sent to a collector. */
export interface OtlpSettings {
  readonly endpoint: string
  /** Whether `endpoint` is the whole URL, or that of a collector for all kinds. */
  readonly isWholeUrl: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly compression: Compressions
  /** The attribute `service.name`; null for the name of the project. */
  readonly service: string | null
  /** More attributes of the resource. */
  readonly attributes: Readonly<Record<string, string>>
}

const onlyJson: VariableKind<'http/json'> = {
  expects: '"http/json": it is the only protocol here, and collectors take it on the same port',
  parse: (text) => (text === 'http/json' ? text : undefined),
}

const protocol = env.custom('OTEL_EXPORTER_OTLP_PROTOCOL', onlyJson, {
  default: 'http/json',
  meaning: 'protocol of the collector',
})

const resource = env.custom(
  'OTEL_RESOURCE_ATTRIBUTES',
  {
    expects: 'pairs such as "name=value,other=value" with URL-encoded values',
    parse: parseAttributes,
  },
  { default: {}, meaning: 'attributes of everything that is sent' },
)

/**
 * The settings of a signal such as `LOGS`: `OTEL_EXPORTER_OTLP_<signal>_…` where that is set, else
 * `OTEL_EXPORTER_OTLP_…`.
 * @throws ConfigurationError that lists all invalid values, protocols we do not speak among them, and
 * shows no secret.
 */
export function otlpSettings(signal: string, source: EnvSource): OtlpSettings {
  const { service: named, ...common } = collectorVariables
  const endpoint = ofSignal(common.endpoint, signal, source)
  const { otlp } = readScopes(
    {
      otlp: scope('otlp', {
        service: env.optional(named),
        resource,
        endpoint,
        headers: ofSignal(common.headers, signal, source),
        timeoutMs: ofSignal(common.timeoutMs, signal, source),
        compression: ofSignal(common.compression, signal, source),
        protocol: ofSignal(protocol, signal, source),
      }),
    },
    source,
  )
  const { 'service.name': service = null, ...attributes } = otlp.resource
  return {
    endpoint: otlp.endpoint,
    isWholeUrl: endpoint !== common.endpoint,
    headers: otlp.headers,
    timeoutMs: otlp.timeoutMs,
    compression: otlp.compression,
    service: otlp.service ?? service,
    attributes,
  }
}

function ofSignal<T>(common: Variable<T>, signal: string, source: EnvSource): Variable<T> {
  const name = common.name.replace('OTLP_', `OTLP_${signal}_`)
  return isSet(name, source) ? { ...common, name } : common
}

function isSet(name: string, source: EnvSource): boolean {
  return (source.lookup(name)?.text ?? '') !== ''
}
