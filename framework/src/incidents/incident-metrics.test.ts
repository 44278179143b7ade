import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrometheusExporter } from '../metrics/exporters/prometheus.ts'
import { Observability } from '../metrics/observability.ts'
import { IncidentExporter } from './incident-exporter.ts'
import type { IncidentTarget } from './incident-target.ts'
import { measureExports } from './incident-metrics.ts'

test('sent and dropped errors of each target are counted', async (t) => {
  const target = (name: string, isSent: boolean): IncidentTarget => ({
    name,
    batchSize: 1,
    send: () => Promise.resolve({ isSent, notice: null }),
    stop() {},
    abandon() {},
  })
  const exporter = new IncidentExporter({ targets: [target('one', true), target('two', false)] })
  t.after(() => exporter.close())
  const before = Observability.Instance
  t.after(() => (Observability.Instance = before))
  const stop = measureExports(exporter)
  t.after(stop)
  const registry = new Observability(false)
  Observability.Instance = registry
  for (let round = 0; round < 20; round += 1) void exporter.report(new Error('x'), {})
  await exporter.flush(60_000)
  const lines = registry.export(new PrometheusExporter()).split('\n')
  assert.deepEqual(
    lines.filter((line) => line.startsWith('error_exports_total')),
    [
      'error_exports_total{result="sent",target="one"} 10',
      'error_exports_total{result="dropped",target="one"} 0',
      'error_exports_total{result="suppressed",target="one"} 10',
      'error_exports_total{result="sent",target="two"} 0',
      'error_exports_total{result="dropped",target="two"} 10',
      'error_exports_total{result="suppressed",target="two"} 10',
    ],
  )
})
