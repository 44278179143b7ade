import { Emitter } from '../../../services/events/emitter.ts'
import type { Channel } from '../../../services/logs/channel.ts'
import type { Logs } from '../../../services/logs/logs.ts'
import { Counter } from '../../../services/observability/metrics/counter.ts'
import { Observability } from '../../../services/observability/observability.ts'
import { AuthEvents } from './auth-events.ts'
import type { AuthEventName, AuthEventPayload } from './auth-events.ts'

/** What an audit works with. */
export interface AuthAuditOptions {
  /** The lines go to its channel `auth`. */
  readonly logs: Logs
  /** The bus that the events come on; the shared one unless given. */
  readonly emitter?: Emitter
  /** Counts the events; unless given the registry of this process, as soon as there is one. */
  readonly observability?: Observability | null
}

/**
 * Keeps record of authentication until it is closed: each event is a line of the channel `auth` and
 * counts in `auth_events_total`, a theft in `auth_theft_total` too. One for each bus is enough.
 */
export class AuthAudit {
  readonly #channel: Channel
  readonly #registry: () => Observability | null
  readonly #stops: (() => void)[] = []

  constructor({ logs, emitter = Emitter.Instance, observability }: AuthAuditOptions) {
    this.#channel = logs.channel('auth')
    this.#registry = () => (observability === undefined ? Observability.Instance : observability)
    if (observability === undefined) {
      this.#stops.push(Observability.follow((registry) => void AuthCounters.in(registry)))
    } else if (observability !== null) AuthCounters.in(observability)
    for (const name of names) {
      this.#stops.push(emitter.listen(AuthEvents[name], (payload) => this.#record(name, payload)))
    }
  }

  /** Stops listening; what was counted stays. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  #record(name: AuthEventName, { user, peer, request, at }: AuthEventPayload): void {
    const registry = this.#registry()
    if (registry !== null) AuthCounters.in(registry).count(name)
    const { level, message } = lines[name]
    // Named one by one: whatever else a payload may carry stays out of the log.
    const context = { event: eventLabel(name), user: accountId(user), peer, request, at }
    this.#channel[level](message, context)
  }
}

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
function eventLabel(name: string): string {
  return name.toLowerCase()
}

/** What a line says. What somebody should look at is a warning, so that `LOG_LEVEL=warn` keeps it. */
const lines: Readonly<
  Record<AuthEventName, { readonly level: 'info' | 'warn'; readonly message: string }>
> = {
  Registered: { level: 'info', message: 'account made' },
  Verified: { level: 'info', message: 'e-mail verified' },
  Login: { level: 'info', message: 'signed in' },
  Failed: { level: 'warn', message: 'sign-in refused' },
  Logout: { level: 'info', message: 'signed out' },
  Revived: { level: 'info', message: 'signed in by a trusted device' },
  Theft: { level: 'warn', message: 'stolen device token: all devices signed out' },
  Reset: { level: 'info', message: 'password reset' },
  Changed: { level: 'info', message: 'password changed' },
}

const names: readonly AuthEventName[] = Object.keys(lines).filter(isName)

function isName(name: string): name is AuthEventName {
  return Object.hasOwn(AuthEvents, name)
}

// Numbers, UUIDs and the like. An e-mail is none of them: a caller that hands over what a guest has
// typed in place of an id does not get it into the log.
function accountId(user: unknown): string | null {
  return typeof user === 'string' && /^[\w-]{1,64}$/.test(user) ? user : null
}
