import { Counter } from '../metrics/instruments/counter.ts'
import { Observability } from '../metrics/observability.ts'
import type { IncidentExporter } from './incident-exporter.ts'

/**
 * Publishes what became of the errors of each target as `error_exports_total`, in the registry of this
 * process once there is one. Returns a function that stops it.
 */
export function measureExports(exporter: IncidentExporter): () => void {
  const help = 'Reported throwables by where they were to be sent, and what became of them.'
  const counters = exporter.queues.flatMap((queue) => {
    const { name: target } = queue.target
    const results = {
      sent: () => queue.sent,
      dropped: () => queue.dropped,
      suppressed: () => exporter.suppressed,
    }
    return Object.entries(results).map(([result, observe]) => {
      return new Counter('error_exports_total', { help, labels: { target, result }, observe })
    })
  })
  return Observability.follow((registry) => void registry.metrics.push(...counters))
}
