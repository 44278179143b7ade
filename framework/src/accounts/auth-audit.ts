import { Emitter } from '../events/emitter.ts'
import type { Channel } from '../logs/channel.ts'
import type { Logs } from '../logs/logs.ts'
import { Counter } from '../metrics/instruments/counter.ts'
import { Observability, perRegistry } from '../metrics/observability.ts'
import { AuthEvents, eventLabel } from './auth-events.ts'
import type { AuthEventName, AuthEventPayload } from './auth-events.ts'
import { loggedId } from '../http/request/security-events.ts'

/** Options of `AuthAudit`. */
export interface AuthAuditOptions {
  /** Receives the log lines, on its channel `auth`. */
  readonly logs: Logs
  /** The emitter of the events. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Counts the events. @default the registry of this process, once there is one */
  readonly observability?: Observability | null
}

/**
 * Records authentication events until it is closed: each is logged on the channel `auth` and
 * counted in `auth_events_total`, a theft also in `auth_theft_total`. One per emitter is enough.
 */
export class AuthAudit {
  readonly #channel: Channel
  readonly #stops: (() => void)[] = []
  #count: ((name: string) => void) | null = null

  constructor({ logs, emitter = Emitter.Instance, observability }: AuthAuditOptions) {
    this.#channel = logs.channel('auth')
    const countIn = (registry: Observability): void => {
      this.#count = countAuthEvents(registry)
    }
    if (observability === undefined) this.#stops.push(Observability.follow(countIn))
    else if (observability !== null) countIn(observability)
    for (const name of names) {
      this.#stops.push(emitter.listen(AuthEvents[name], (payload) => this.#record(name, payload)))
    }
  }

  /** Stops listening; the counters keep their values. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  #record(name: AuthEventName, { user, peer, request, at }: AuthEventPayload): void {
    this.#count?.(name)
    const { level, message } = AuthEvents[name]
    // Listed one by one, so that other fields of a payload stay out of the log.
    const context = { event: eventLabel(name), user: loggedId(user), peer, request, at }
    this.#channel[level](message, context)
  }
}

/** Counts an event by its name in `AuthEvents`, in a registry. All series exist from the start, at 0. */
export const countAuthEvents: (registry: Observability) => (name: string) => void = perRegistry(
  (registry) => {
    const events = new Counter('auth_events_total', { help: 'Authentication events, by event.' })
    const thefts = new Counter('auth_theft_total', { help: 'Replayed device tokens.' })
    registry.metrics.push(events, thefts)
    // An alert on a rate needs the 0 before the first 1.
    for (const name of names) events.with({ event: eventLabel(name) })
    return (name) => {
      events.with({ event: eventLabel(name) }).increment()
      if (name === 'Theft') thefts.increment()
    }
  },
)

const names: readonly AuthEventName[] = Object.keys(AuthEvents).filter(isName)

function isName(name: string): name is AuthEventName {
  return Object.hasOwn(AuthEvents, name)
}
