import { otlpEnumerations, otlpMessages, otlpRequests } from './otlp-messages.ts'
import type { Field } from './otlp-messages.ts'

const unsigned64 = 2n ** 64n
const signed64 = 2n ** 63n

/** The JSON values allowed for each scalar type, as strict as OTLP requires of senders. */
const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number' && Number.isFinite(value),
  fixed32: (value) => isWhole(value) && value >= 0 && value < 2 ** 32,
  uint32: (value) => isWhole(value) && value >= 0 && value < 2 ** 32,
  // 64 bits do not fit into a JSON number: they are decimal strings.
  fixed64: (value) => isDecimal(value) && BigInt(value) >= 0n && BigInt(value) < unsigned64,
  sfixed64: (value) => isDecimal(value) && isSigned64(BigInt(value)),
  int64: (value) => isDecimal(value) && isSigned64(BigInt(value)),
  // Ids are hexadecimal, unlike other bytes.
  traceId: (value) => isId(value, 32),
  spanId: (value) => isId(value, 16),
  parentSpanId: (value) => isId(value, 16),
}

const ids: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId'])

/** The parts of a metric that are used here. */
export interface OtlpMetric {
  readonly name: string
  readonly description?: string
  readonly sum?: OtlpData
  readonly gauge?: OtlpData
  readonly histogram?: OtlpData
}

/** The points of a metric and how to interpret them. */
export interface OtlpData {
  readonly dataPoints: readonly OtlpPoint[]
  readonly aggregationTemporality?: number
  readonly isMonotonic?: boolean
}

/** A point of a sum or gauge (`asDouble`) or of a histogram (the other numbers). */
export interface OtlpPoint {
  readonly attributes?: readonly { key: string; value: { stringValue?: string } }[]
  readonly startTimeUnixNano?: string
  readonly timeUnixNano?: string
  readonly asDouble?: number
  readonly count?: string
  readonly sum?: number
  readonly bucketCounts?: readonly string[]
  readonly explicitBounds?: readonly number[]
}

/**
 * Decodes the metrics of an OTLP JSON request by its message definitions.
 * @throws Error that names the place of an unknown field, a wrong type or a oneof set twice.
 */
export function decodeOtlp(text: string): readonly OtlpMetric[] {
  const request: unknown = JSON.parse(text)
  if (!isRequest(request)) throw new Error('unreachable: what is no request was refused')
  return request.resourceMetrics.flatMap(({ scopeMetrics }) => {
    return scopeMetrics.flatMap(({ metrics }) => metrics)
  })
}

interface OtlpRequest {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[]
  }[]
}

function isRequest(value: unknown): value is OtlpRequest {
  checkMessage(value, otlpRequests.metrics.name, '$')
  return true
}

/** A span of a decoded request. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly OtlpAttribute[]
  readonly events?: readonly { readonly name: string; readonly attributes?: OtlpAttribute[] }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number; readonly message?: string }
}

/** An attribute of a span, an event or a resource. */
export interface OtlpAttribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: string
    readonly doubleValue?: number
    readonly boolValue?: boolean
    readonly arrayValue?: unknown
  }
}

interface OtlpTraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string }
      readonly spans: readonly OtlpSpan[]
    }[]
  }[]
}

/**
 * Decodes an OTLP JSON request with spans by its message definitions.
 * @throws Error that names the place of an unknown field, a wrong type or a oneof set twice.
 */
export function decodeSpans(text: string): OtlpTraceRequest {
  const request: unknown = JSON.parse(text)
  if (!isTraceRequest(request)) throw new Error('unreachable: what is no request was refused')
  return request
}

function isTraceRequest(value: unknown): value is OtlpTraceRequest {
  checkMessage(value, otlpRequests.trace.name, '$')
  return true
}

/** The attributes of a span by name: texts, numbers and booleans. */
export function attributesOf({
  attributes = [],
}: {
  readonly attributes?: readonly OtlpAttribute[] | undefined
}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? doubleValue ?? boolValue ?? Number(intValue),
    ]),
  )
}

/** A log record. */
export interface OtlpRecord {
  readonly timeUnixNano?: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: { readonly stringValue?: string }
  readonly attributes?: readonly OtlpAttribute[]
  readonly traceId?: string
  readonly spanId?: string
}

/** The records of a logs request, and the attributes of where they come from. */
export interface OtlpLogs {
  readonly resource: Readonly<Record<string, unknown>>
  readonly records: readonly OtlpRecord[]
}

interface LogsRequest {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeLogs: readonly { readonly logRecords: readonly OtlpRecord[] }[]
  }[]
}

/**
 * Decodes the records of an OTLP JSON request of one resource by its message definitions.
 * @throws Error that names the place of an unknown field, a wrong type or a oneof set twice.
 */
export function decodeOtlpLogs(text: string): OtlpLogs {
  const request: unknown = JSON.parse(text)
  if (!isLogsRequest(request)) throw new Error('unreachable: what is no request was refused')
  const [one, ...others] = request.resourceLogs
  if (one === undefined || others.length > 0)
    throw new Error('there is more or less than a resource')
  return {
    resource: attributesOf(one.resource),
    records: one.scopeLogs.flatMap(({ logRecords }) => logRecords),
  }
}

function isLogsRequest(value: unknown): value is LogsRequest {
  checkMessage(value, otlpRequests.logs.name, '$')
  return true
}

/** A JSON request after a round trip through the binary format. */
export function overTheWire(text: string, signal: 'metrics' | 'logs' = 'metrics'): unknown {
  const request = otlpRequests[signal]
  // Where ids are hexadecimal in OTLP, Protocol Buffers have base64.
  const sent: object = JSON.parse(text, (key, value) => recode(key, value, 'hex', 'base64'))
  const received = request.decode(request.encode(request.fromObject(sent)).finish())
  const shown = request.toObject(received, { longs: String, bytes: String })
  return JSON.parse(JSON.stringify(shown), (key, value) => recode(key, value, 'base64', 'hex'))
}

function recode(key: string, value: unknown, from: BufferEncoding, to: BufferEncoding): unknown {
  return ids.has(key) ? Buffer.from(String(value), from).toString(to) : value
}

function checkMessage(value: unknown, name: string, place: string): void {
  const fields = otlpMessages.get(name)
  if (fields === undefined) throw new Error(`${place}: no definition of ${name}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${place} is no ${name}`)
  }
  const chosen = new Set<string>()
  for (const [key, member] of Object.entries(value)) {
    const field = fields.get(key)
    if (field === undefined) throw new Error(`${place}.${key} is no field of ${name}`)
    if (field.choice !== null && chosen.has(field.choice)) {
      throw new Error(`${place}.${key} is a second ${field.choice}`)
    }
    if (field.choice !== null) chosen.add(field.choice)
    checkField(member, ids.has(key) ? { ...field, type: key } : field, `${place}.${key}`)
  }
}

function checkField(value: unknown, { type, repeated }: Field, place: string): void {
  if (!repeated) return checkValue(value, type, place)
  if (!Array.isArray(value)) throw new Error(`${place} is no list`)
  for (const [at, member] of value.entries()) checkValue(member, type, `${place}[${at}]`)
}

function checkValue(value: unknown, type: string, place: string): void {
  const fits = scalars[type] ?? enumeration(type)
  if (fits === undefined) return checkMessage(value, type, place)
  if (!fits(value)) throw new Error(`${place} is no ${type}: ${JSON.stringify(value)}`)
}

// Senders write the number of an enumeration value, never its name.
function enumeration(type: string): ((value: unknown) => boolean) | undefined {
  const numbers = otlpEnumerations.get(type)
  return numbers && ((value) => isWhole(value) && numbers.includes(value))
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value)
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^(0|-?[1-9][0-9]*)$/.test(value)
}

function isId(value: unknown, digits: number): boolean {
  return typeof value === 'string' && value.length === digits && /^[\da-f]+$/.test(value)
}

function isSigned64(value: bigint): boolean {
  return value >= -signed64 && value < signed64
}
