export { shippingSettings, type ShippingSettings } from '../project/shipping-settings.ts'
export * as Collectors from '../metrics/collectors/collectors.ts'
export type { Collector } from '../metrics/collectors/collector.ts'
export type { CollectorList } from '../metrics/collectors/collector-list.ts'
export type { Exporter } from '../metrics/exporters/exporter.ts'
export * as Exporters from '../metrics/exporters/exporters.ts'
export type { JsonOptions } from '../metrics/exporters/json.ts'
export type { OtlpOptions } from '../metrics/exporters/otlp.ts'
export type { ExpositionOptions } from '../metrics/exporters/prometheus.ts'
export type { Instruments } from '../metrics/instruments.ts'
export type { Labels } from '../metrics/labels.ts'
export { Merges } from '../metrics/merges.ts'
export type {
  BucketCounts,
  Exemplar,
  Exemplars,
  HistogramMetric,
  HistogramSeries,
  Metric,
  ValueMetric,
  ValueSeries,
} from '../metrics/metric.ts'
export { Counter } from '../metrics/instruments/counter.ts'
export { Gauge } from '../metrics/instruments/gauge.ts'
export { Histogram, type HistogramOptions } from '../metrics/instruments/histogram.ts'
export type { Instrument } from '../metrics/instruments/instrument.ts'
export type { Observe } from '../metrics/instruments/metric-value.ts'
export type { InstrumentOptions } from '../metrics/instruments/instrument-options.ts'
export type { ValueOptions } from '../metrics/instruments/value-options.ts'
export {
  Observability,
  type ObservabilityOptions,
  type RegistryFollower,
} from '../metrics/observability.ts'
export { Compressions } from '../otlp/compressions.ts'
export type { ShipClock } from '../otlp/ship-clock.ts'
export { shipMetrics } from '../otlp/ship-metrics.ts'
export type { ShipOptions } from '../otlp/ship-metrics.ts'
export { ShipResults, type ShipOutcome } from '../otlp/ship-outcome.ts'
export { Snapshot } from '../metrics/snapshot.ts'
