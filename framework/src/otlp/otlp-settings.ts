import { env } from '../settings/env.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { readScopes, scope } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'
import { Compressions } from './post.ts'
import { checkHeaders } from './receiver.ts'

/** How a collector is reached. */
export interface CollectorVariables {
  readonly endpoint: Variable<string>
  readonly headers: Variable<Readonly<Record<string, string>>>
  readonly timeoutMs: Variable<number>
  readonly compression: Variable<Compressions>
  readonly service: Variable<string>
}

const text: VariableKind<string> = { expects: 'a text', parse: (given) => given }

const expectedPairs = 'pairs such as "name=value,other=value" with URL-encoded values'

const headerPairs: VariableKind<Readonly<Record<string, string>>> = {
  expects: expectedPairs,
  parse: parseHeaders,
}

/** The variables that OpenTelemetry has for all kinds of telemetry. */
export const collectorVariables: CollectorVariables = Object.freeze({
  endpoint: env.url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    default: 'http://localhost:4318',
    schemes: ['http', 'https'],
    meaning: 'address of the collector',
    // Some collectors expect a key in the query.
    secret: true,
  }),
  headers: env.custom('OTEL_EXPORTER_OTLP_HEADERS', headerPairs, {
    default: {},
    meaning: 'headers for the collector',
    secret: true,
  }),
  timeoutMs: env.integer('OTEL_EXPORTER_OTLP_TIMEOUT', {
    default: 10_000,
    min: 0,
    max: 3_600_000,
    meaning: 'milliseconds that one attempt may take; 0 for no limit',
  }),
  compression: env.choice('OTEL_EXPORTER_OTLP_COMPRESSION', Object.values(Compressions), {
    default: Compressions.None,
    meaning: 'compression of what is sent',
  }),
  service: env.custom('OTEL_SERVICE_NAME', text, {
    default: 'framework',
    meaning: 'name of the measured service',
  }),
})

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
  { expects: expectedPairs, parse: parseAttributes },
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

/**
 * Parses headers: `name=value,name2=value2` with URL-encoded parts. Undefined when the text or a header is
 * invalid.
 */
export function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const headers = parsePairs(text)
  if (headers === undefined) return undefined
  try {
    checkHeaders(headers)
    return headers
  } catch {
    return undefined
  }
}

const maxNameLength = 255
const maxValueLength = 1_024

/** Parses attributes, in the same format. Undefined when the text is invalid. */
export function parseAttributes(text: string): Readonly<Record<string, string>> | undefined {
  const attributes = parsePairs(text)
  const fits = Object.entries(attributes ?? {}).every(
    ([name, value]) =>
      name !== '' && name.length <= maxNameLength && value.length <= maxValueLength,
  )
  return fits ? attributes : undefined
}

function parsePairs(text: string): Readonly<Record<string, string>> | undefined {
  const entries = text.split(',').filter((entry) => entry.trim() !== '')
  try {
    return Object.fromEntries(entries.map(parsePair))
  } catch {
    return undefined
  }
}

/** @throws Error when there is no equals sign, or a part is not URL-encoded. */
function parsePair(entry: string): [name: string, value: string] {
  const sign = entry.indexOf('=')
  if (sign === -1) throw new Error('expected name=value')
  const name = decodeURIComponent(entry.slice(0, sign).trim())
  return [name, decodeURIComponent(entry.slice(sign + 1).trim())]
}
