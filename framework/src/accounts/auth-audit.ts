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
  #counters: AuthCounters | null = null

  constructor({ logs, emitter = Emitter.Instance, observability }: AuthAuditOptions) {
    this.#channel = logs.channel('auth')
    const countIn = (registry: Observability): void => {
      this.#counters = AuthCounters.in(registry)
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
    this.#counters?.count(name)
    const { level, message } = lines[name]
    // Listed one by one, so that other fields of a payload stay out of the log.
    const context = { event: eventLabel(name), user: loggedId(user), peer, request, at }
    this.#channel[level](message, context)
  }
}

/** The authentication counters of one registry. All series exist from the start, at 0. */
export class AuthCounters {
  /** The counters of a registry, created on first use. */
  static readonly in: (registry: Observability) => AuthCounters = perRegistry(
    (registry) => new AuthCounters(registry),
  )

  readonly #events = new Counter('auth_events_total', {
    help: 'Authentication events, by event.',
  })
  readonly #thefts = new Counter('auth_theft_total', {
    help: 'Replayed device tokens.',
  })

  private constructor(registry: Observability) {
    registry.metrics.push(this.#events, this.#thefts)
    // An alert on a rate needs the 0 before the first 1.
    for (const name of Object.keys(AuthEvents)) this.#events.with({ event: eventLabel(name) })
  }

  /** Counts an event by its name in `AuthEvents`. */
  count(name: string): void {
    this.#events.with({ event: eventLabel(name) }).increment()
    if (name === 'Theft') this.#thefts.increment()
  }
}

/**
 * Level and message per event. Suspicious ones are warnings, so that `LOG_LEVEL=warn` keeps them.
 */
const lines: Readonly<
  Record<AuthEventName, { readonly level: 'info' | 'warn'; readonly message: string }>
> = {
  Registered: { level: 'info', message: 'account created' },
  Verified: { level: 'info', message: 'e-mail verified' },
  Login: { level: 'info', message: 'signed in' },
  Failed: { level: 'warn', message: 'sign-in refused' },
  Logout: { level: 'info', message: 'signed out' },
  Revived: { level: 'info', message: 'signed in by a trusted device' },
  Theft: { level: 'warn', message: 'stolen device token, all devices signed out' },
  Reset: { level: 'info', message: 'password reset' },
  Changed: { level: 'info', message: 'password changed' },
  NewDevice: { level: 'info', message: 'signed in from a new device' },
  Confirmed: { level: 'info', message: 'identity confirmed' },
  FactorAdded: { level: 'info', message: 'factor added' },
  FactorRemoved: { level: 'warn', message: 'factor removed' },
  PasswordRemoved: { level: 'warn', message: 'password removed' },
  IdentityLinked: { level: 'info', message: 'identity of another site linked' },
  IdentityUnlinked: { level: 'warn', message: 'identity of another site unlinked' },
  Ended: { level: 'info', message: 'sessions or devices ended' },
  FactorAsked: { level: 'info', message: 'factor asked for' },
  Suspended: { level: 'warn', message: 'account suspended' },
  Restored: { level: 'info', message: 'account restored' },
  RecoveryUsed: { level: 'warn', message: 'recovery code used' },
  CodesRenewed: { level: 'info', message: 'recovery codes renewed' },
  PasskeyCopied: { level: 'warn', message: 'passkey refused: its counter did not grow' },
  TokenCreated: { level: 'info', message: 'API token created' },
  TokenRevoked: { level: 'info', message: 'API token revoked' },
  EmailRequested: { level: 'info', message: 'change of e-mail requested' },
  EmailChanged: { level: 'info', message: 'e-mail changed' },
  EmailRestored: { level: 'warn', message: 'former e-mail restored' },
  DeletionRequested: { level: 'info', message: 'deletion of the account requested' },
  DeletionCancelled: { level: 'info', message: 'deletion of the account cancelled' },
  Deleted: { level: 'info', message: 'account deleted' },
  ExportRequested: { level: 'info', message: 'export of the account requested' },
  ExportReady: { level: 'info', message: 'export of the account ready' },
  ExportDownloaded: { level: 'info', message: 'export of the account downloaded' },
}

const names: readonly AuthEventName[] = Object.keys(lines).filter(isName)

function isName(name: string): name is AuthEventName {
  return Object.hasOwn(AuthEvents, name)
}
