export {
  shippingSettings,
  type ShippingSettings,
} from '../app/config/telemetry/shipping-settings.ts'
export * as Collectors from '../services/observability/collectors/collectors.ts'
export type { Collector } from '../services/observability/collectors/collector.ts'
export type { CollectorList } from '../services/observability/collectors/collector-list.ts'
export type { Exporter } from '../services/observability/exporters/exporter.ts'
export * as Exporters from '../services/observability/exporters/exporters.ts'
export type { JsonOptions } from '../services/observability/exporters/json.ts'
export type { OtlpOptions } from '../services/observability/exporters/otlp.ts'
export type { ExpositionOptions } from '../services/observability/exporters/prometheus.ts'
export type { Instruments } from '../services/observability/instruments.ts'
export type { Labels } from '../services/observability/labels.ts'
export { Merges } from '../services/observability/merges.ts'
export type {
  BucketCounts,
  Exemplar,
  Exemplars,
  HistogramMetric,
  HistogramSeries,
  Metric,
  ValueMetric,
  ValueSeries,
} from '../services/observability/metric.ts'
export { Counter } from '../services/observability/metrics/counter.ts'
export { Gauge } from '../services/observability/metrics/gauge.ts'
export { Histogram, type HistogramOptions } from '../services/observability/metrics/histogram.ts'
export type { Instrument } from '../services/observability/metrics/instrument.ts'
export type { Observe } from '../services/observability/metrics/metric-value.ts'
export type { InstrumentOptions } from '../services/observability/metrics/instrument-options.ts'
export type { ValueOptions } from '../services/observability/metrics/value-options.ts'
export {
  Observability,
  type ObservabilityOptions,
  type RegistryFollower,
} from '../services/observability/observability.ts'
export { Compressions } from '../services/observability/ship/compressions.ts'
export type { ShipClock } from '../services/observability/ship/ship-clock.ts'
export { shipMetrics } from '../services/observability/ship/ship-metrics.ts'
export type { ShipOptions } from '../services/observability/ship/ship-options.ts'
export { ShipResults, type ShipOutcome } from '../services/observability/ship/ship-outcome.ts'
export { Snapshot } from '../services/observability/snapshot.ts'
