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

const root = loadRoot()

/** The metrics request, as defined by the `.proto` files of OpenTelemetry. */
export const otlpRequest: protobuf.Type = root.lookupType(
  'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest',
)

/** The request with spans. */
export const otlpTraceRequest: protobuf.Type = root.lookupType(
  'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
)

const types = reachable(otlpTraceRequest, reachable(otlpRequest))

/** Every message type in such requests by name, with its fields under their JSON names. */
export const otlpMessages: ReadonlyMap<string, ReadonlyMap<string, Field>> = messagesOf()

/** The values of the enumerations by name. */
export const otlpEnumerations: ReadonlyMap<string, readonly number[]> = new Map(
  [...types].flatMap((type) =>
    type.fieldsArray.flatMap(({ resolvedType }) =>
      resolvedType instanceof protobuf.Enum
        ? [[resolvedType.name, Object.values(resolvedType.values)] as const]
        : [],
    ),
  ),
)

// The published files are shipped in one of OpenTelemetry's own exporters.
function loadRoot(): protobuf.Root {
  const manifest = '@opentelemetry/otlp-grpc-exporter-base/package.json'
  const folder = join(dirname(createRequire(import.meta.url).resolve(manifest)), 'build/protos')
  const loaded = new protobuf.Root()
  loaded.resolvePath = (_origin, target) => join(folder, target)
  const services = ['metrics/v1/metrics_service', 'trace/v1/trace_service']
  loaded.loadSync(services.map((name) => `opentelemetry/proto/collector/${name}.proto`))
  loaded.resolveAll()
  return loaded
}

function messagesOf(): Map<string, ReadonlyMap<string, Field>> {
  return new Map(
    [...types].map((type) => [
      type.name,
      new Map(type.fieldsArray.map((field) => [field.name, fieldOf(field)])),
    ]),
  )
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
