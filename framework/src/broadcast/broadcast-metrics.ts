import { Counter } from '../metrics/instruments/counter.ts'
import { Observability } from '../metrics/observability.ts'

/**
 * Publishes the counts of a broadcast, in the registry of this process once there is one. Channels are no
 * labels, because their names may contain ids of accounts. Returns a function that stops it.
 */
export function measureBroadcast(
  counts: Readonly<Record<'published' | 'received' | 'gaps', number>>,
): () => void {
  const instruments = [
    new Counter('broadcast_published_total', {
      help: 'Events that this process published.',
      observe: () => counts.published,
    }),
    new Counter('broadcast_received_total', {
      help: 'Events that arrived, from all processes.',
      observe: () => counts.received,
    }),
    new Counter('broadcast_gaps_total', {
      help: 'Times that events were lost, so that clients had to reload.',
      observe: () => counts.gaps,
    }),
  ]
  return Observability.follow((registry) => void registry.metrics.push(...instruments))
}
