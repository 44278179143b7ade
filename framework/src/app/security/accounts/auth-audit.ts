import { Emitter } from '../../../services/events/emitter.ts'
import type { Channel } from '../../../services/logs/channel.ts'
import type { Logs } from '../../../services/logs/logs.ts'
import { Observability } from '../../../services/observability/observability.ts'
import { AuthCounters, eventLabel } from './auth-counters.ts'
import { AuthEvents } from './auth-events.ts'
import type { AuthEventName, AuthIncident } from './auth-events.ts'

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
      this.#stops.push(emitter.listen(AuthEvents[name], (incident) => this.#record(name, incident)))
    }
  }

  /** Stops listening; what was counted stays. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  #record(name: AuthEventName, { user, peer, request, at }: AuthIncident): void {
    const registry = this.#registry()
    if (registry !== null) AuthCounters.in(registry).count(name)
    const { level, message } = lines[name]
    // Named one by one: whatever else an incident may carry stays out of the log.
    const context = { event: eventLabel(name), user: accountId(user), peer, request, at }
    this.#channel[level](message, context)
  }
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
