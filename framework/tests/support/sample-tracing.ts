import type { TracingOptions } from '../../src/tracing/tracing.ts'

/** Options that record everything and export it only when asked or closed. */
export const sampleTracing: Omit<TracingOptions, 'endpoint'> = {
  path: '/v1/traces',
  headers: {},
  timeoutMs: 10_000,
  compression: 'none',
  service: 'shop',
  attributes: {},
  sampler: null,
  ratio: 1,
  propagates: true,
  maxQueue: 2_048,
  maxBatch: 512,
  delayMs: 5_000,
  exportTimeoutMs: 30_000,
  told: () => {},
}
