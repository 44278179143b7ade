import { Counter } from '../observability/metrics/counter.ts'
import { Observability } from '../observability/observability.ts'
import type { IncidentExporter } from './incident-exporter.ts'

/**
 * Publishes what became of the errors of each target as `error_exports_total`, in the registry of this
 * process once there is one. Returns a function that stops it.
 */
export function measureExports({ queues }: IncidentExporter): () => void {
  const help = 'Reported throwables by where they were sent, and whether they arrived.'
  const counters = queues.flatMap((queue) =>
    (['sent', 'dropped'] as const).map((result) => {
      const labels = { target: queue.target.name, result }
      return new Counter('error_exports_total', { help, labels, observe: () => queue[result] })
    }),
  )
  return Observability.follow((registry) => void registry.metrics.push(...counters))
}
