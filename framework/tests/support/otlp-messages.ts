/** What a field of a message holds: a scalar of Protocol Buffers, or the name of a message. */
export interface Field {
  readonly type: string
  readonly repeated: boolean
  /** Fields of one choice exclude each other. */
  readonly choice: string | null
}

/**
 * The messages of an OTLP metrics request by name, with their fields as JSON names them: what
 * `metrics_service.proto`, `metrics.proto`, `resource.proto` and `common.proto` of OpenTelemetry
 * define, as far as a sender of sums, gauges and histograms can use it. A line is
 * `[repeated] <type> <field> [= choice]`.
 */
export const otlpMessages: ReadonlyMap<string, ReadonlyMap<string, Field>> = new Map(
  Object.entries({
    ExportMetricsServiceRequest: ['repeated ResourceMetrics resourceMetrics'],
    ResourceMetrics: [
      'Resource resource',
      'repeated ScopeMetrics scopeMetrics',
      'string schemaUrl',
    ],
    Resource: ['repeated KeyValue attributes', 'uint32 droppedAttributesCount'],
    ScopeMetrics: ['InstrumentationScope scope', 'repeated Metric metrics', 'string schemaUrl'],
    InstrumentationScope: ['string name', 'string version'],
    Metric: [
      'string name',
      'string description',
      'string unit',
      'Gauge gauge = data',
      'Sum sum = data',
      'Histogram histogram = data',
    ],
    Gauge: ['repeated NumberDataPoint dataPoints'],
    Sum: [
      'repeated NumberDataPoint dataPoints',
      'AggregationTemporality aggregationTemporality',
      'bool isMonotonic',
    ],
    Histogram: [
      'repeated HistogramDataPoint dataPoints',
      'AggregationTemporality aggregationTemporality',
    ],
    NumberDataPoint: [
      'repeated KeyValue attributes',
      'fixed64 startTimeUnixNano',
      'fixed64 timeUnixNano',
      'double asDouble = value',
      'sfixed64 asInt = value',
      'uint32 flags',
    ],
    HistogramDataPoint: [
      'repeated KeyValue attributes',
      'fixed64 startTimeUnixNano',
      'fixed64 timeUnixNano',
      'fixed64 count',
      'double sum',
      'repeated fixed64 bucketCounts',
      'repeated double explicitBounds',
      'uint32 flags',
      'double min',
      'double max',
    ],
    KeyValue: ['string key', 'AnyValue value'],
    AnyValue: [
      'string stringValue = value',
      'bool boolValue = value',
      'int64 intValue = value',
      'double doubleValue = value',
      'ArrayValue arrayValue = value',
      'KeyValueList kvlistValue = value',
    ],
    ArrayValue: ['repeated AnyValue values'],
    KeyValueList: ['repeated KeyValue values'],
  }).map(([message, lines]) => [message, new Map(lines.map(readLine))]),
)

function readLine(line: string): [name: string, field: Field] {
  const form = /^(repeated )?(\w+) (\w+)(?: = (\w+))?$/
  const [, repeated, type = '', name = '', choice = null] = form.exec(line) ?? []
  return [name, { type, repeated: repeated !== undefined, choice }]
}
