import { Counter } from '../../metrics/instruments/counter.ts'
import type { Observability } from '../../metrics/observability.ts'
import { SecurityKinds } from './security-kinds.ts'

/** The counter of security events in one registry. All series exist from the start, at 0. */
export class SecurityCounter {
  static readonly #known = new WeakMap<Observability, SecurityCounter>()

  readonly #events = new Counter('security_events_total', { help: 'Security events, by kind.' })

  /** The counter of a registry, created on first use. */
  static in(registry: Observability): SecurityCounter {
    const known = SecurityCounter.#known.get(registry)
    if (known !== undefined) return known
    const counter = new SecurityCounter()
    SecurityCounter.#known.set(registry, counter)
    registry.metrics.push(counter.#events)
    return counter
  }

  constructor() {
    // An alert on a rate needs the 0 before the first 1.
    for (const kind of Object.values(SecurityKinds)) this.#events.with({ kind })
  }

  count(kind: SecurityKinds): void {
    this.#events.with({ kind }).increment()
  }
}
