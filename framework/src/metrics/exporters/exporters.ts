export { JsonExporter as JSON } from './json.ts'
export { OpenMetricsExporter as OpenMetrics } from './open-metrics.ts'
export { OtlpExporter as OTLP } from './otlp.ts'
export { PrometheusExporter as Prometheus } from './prometheus.ts'
