import { Counter } from '../../../services/observability/metrics/counter.ts'
import type { Observability } from '../../../services/observability/observability.ts'
import { AuthEvents } from './auth-events.ts'

/** The counters of authentication in one registry. Every series is there from the start, at 0. */
export class AuthCounters {
  static readonly #known = new WeakMap<Observability, AuthCounters>()

  readonly #events = new Counter('auth_events_total', {
    help: 'What happened to accounts, by event.',
  })
  readonly #thefts = new Counter('auth_theft_total', {
    help: 'Used-up device tokens that came back.',
  })

  /** Those of a registry; put into it when first asked for. */
  static in(registry: Observability): AuthCounters {
    const known = AuthCounters.#known.get(registry)
    if (known !== undefined) return known
    const counters = new AuthCounters()
    AuthCounters.#known.set(registry, counters)
    registry.metrics.push(counters.#events, counters.#thefts)
    return counters
  }

  constructor() {
    // An alert on a rate needs the 0 that came before the first 1.
    for (const name of Object.keys(AuthEvents)) this.#events.with({ event: eventLabel(name) })
  }

  /** Counts an event by its name in `AuthEvents`. */
  count(name: string): void {
    this.#events.with({ event: eventLabel(name) }).increment()
    if (name === 'Theft') this.#thefts.increment()
  }
}

/** What an event is called in labels and log lines: `Login` is `login`. */
export function eventLabel(name: string): string {
  return name.toLowerCase()
}
