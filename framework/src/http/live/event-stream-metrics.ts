import { Counter } from '../../metrics/instruments/counter.ts'
import { Gauge } from '../../metrics/instruments/gauge.ts'
import { Observability } from '../../metrics/observability.ts'
import { EventStreamEnds } from './event-stream.ts'

/** What the event streams of a server count. */
export interface EventStreamCounts {
  open: number
  /** Events. */
  sent: number
  readonly refused: Record<'process' | 'peer', number>
  readonly ended: Record<EventStreamEnds, number>
}

/** Publishes the counts, in the registry of this process once there is one. Returns a function that stops it. */
export function measureEventStreams(counts: EventStreamCounts): () => void {
  const ended = Object.values(EventStreamEnds).map((reason) => {
    const help = 'Event streams that have ended, by reason.'
    const observe = (): number => counts.ended[reason]
    return new Counter('event_streams_ended_total', { help, labels: { reason }, observe })
  })
  const refused = (['process', 'peer'] as const).map((limit) => {
    const help = 'Event streams that were refused, by the limit that was reached.'
    const observe = (): number => counts.refused[limit]
    return new Counter('event_streams_refused_total', { help, labels: { limit }, observe })
  })
  const open = new Gauge('event_streams_open', {
    help: 'Clients that are connected to an event stream.',
    observe: () => counts.open,
  })
  const sent = new Counter('event_stream_events_total', {
    help: 'Events sent, once for each client.',
    observe: () => counts.sent,
  })
  return Observability.follow(({ metrics }) => void metrics.push(open, sent, ...ended, ...refused))
}
