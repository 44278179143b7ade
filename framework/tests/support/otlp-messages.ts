import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import protobuf from 'protobufjs'

/** The type of a field: a Protocol Buffers scalar, an enumeration, or a message. */
export interface Field {
  readonly type: string
  readonly repeated: boolean
  /** Fields of the same oneof exclude each other. */
  readonly choice: string | null
}

const root = loadRoot('metrics', 'trace', 'logs')

/** The requests, as defined by the `.proto` files of OpenTelemetry. */
export const otlpRequests: Readonly<Record<'metrics' | 'trace' | 'logs', protobuf.Type>> = {
  metrics: root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest'),
  trace: root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'),
  logs: root.lookupType('opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest'),
}

const types = Object.values(otlpRequests).flatMap((type) => Array.from(reachable(type)))

/** Every message type in such requests by name, with its fields under their JSON names. */
export const otlpMessages: ReadonlyMap<string, ReadonlyMap<string, Field>> = new Map(
  types.map((type) => [
    type.name,
    new Map(type.fieldsArray.map((field) => [field.name, fieldOf(field)])),
  ]),
)

/** The values of the enumerations by name. */
export const otlpEnumerations: ReadonlyMap<string, readonly number[]> = new Map(
  types.flatMap((type) =>
    type.fieldsArray.flatMap(({ resolvedType }) =>
      resolvedType instanceof protobuf.Enum
        ? [[resolvedType.name, Object.values(resolvedType.values)] as const]
        : [],
    ),
  ),
)

// The published files are shipped in one of OpenTelemetry's own exporters.
function loadRoot(...signals: readonly string[]): protobuf.Root {
  const manifest = '@opentelemetry/otlp-grpc-exporter-base/package.json'
  const folder = join(dirname(createRequire(import.meta.url).resolve(manifest)), 'build/protos')
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) => join(folder, target)
  const files = signals.map(
    (signal) => `opentelemetry/proto/collector/${signal}/v1/${signal}_service.proto`,
  )
  root.loadSync(files).resolveAll()
  return root
}

function reachable(type: protobuf.Type, found = new Set<protobuf.Type>()): Set<protobuf.Type> {
  if (found.has(type)) return found
  found.add(type)
  for (const { resolvedType } of type.fieldsArray) {
    if (resolvedType instanceof protobuf.Type) reachable(resolvedType, found)
  }
  return found
}

function fieldOf({ type, repeated, resolvedType, partOf }: protobuf.Field): Field {
  // A merely optional field is in a oneof of its own.
  const choice = partOf === null || partOf.oneof.length === 1 ? null : partOf.name
  return { type: resolvedType?.name ?? type, repeated, choice }
}
