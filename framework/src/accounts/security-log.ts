import { networkOf } from '../base/network.ts'
import { Emitter } from '../events/emitter.ts'
import type { Channel } from '../logs/channel.ts'
import { LineQuota } from '../logs/line-quota.ts'
import type { Logs } from '../logs/logs.ts'
import { Observability, perRegistry } from '../metrics/observability.ts'
import { loggedId, SecurityEvents } from '../http/request/security-events.ts'
import type { SecurityEventPayload, SecurityEvent } from '../http/request/security-events.ts'
import { Counter } from '../metrics/instruments/counter.ts'
import type { AuthEventPayload, AuthEvent } from './auth-events.ts'
import { AuthEvents } from './auth-events.ts'

/** The kinds of lines in the security log; also the label `kind` of `security_events_total`. */
export const SecurityKinds = {
  Limit: 'limit',
  Csrf: 'csrf',
  Origin: 'origin',
  Forbidden: 'forbidden',
  ForeignId: 'foreign_id',
  SignIn: 'sign_in',
  Confirmation: 'confirmation',
  Theft: 'theft',
  PasskeyCopied: 'passkey_copied',
  Suspended: 'suspended',
  Restored: 'restored',
} as const
Object.freeze(SecurityKinds)

export type SecurityKinds = (typeof SecurityKinds)[keyof typeof SecurityKinds]

/** The event that makes a line of a kind, and how the line reads. */
interface SecurityKind {
  readonly event: SecurityEvent | AuthEvent
  /** Refusals are warnings, so that `LOG_LEVEL=warn` keeps them. */
  readonly level: 'info' | 'warn'
  readonly message: string
}

/** Every kind of the security log. */
export const securityKinds: Readonly<Record<SecurityKinds, SecurityKind>> = {
  limit: warned(SecurityEvents.LimitExceeded, 'a rate limit was exceeded'),
  csrf: warned(SecurityEvents.TokenRefused, 'a form without its CSRF token was refused'),
  origin: warned(SecurityEvents.OriginRefused, 'a request of another site was refused'),
  forbidden: warned(SecurityEvents.Forbidden, 'a request was forbidden'),
  foreign_id: warned(SecurityEvents.ForeignId, 'an unknown or foreign id was refused'),
  sign_in: warned(AuthEvents.Failed, 'a sign-in was refused'),
  confirmation: told(AuthEvents.Verified, 'an e-mail was verified'),
  theft: warned(AuthEvents.Theft, 'a stolen device token was used'),
  passkey_copied: warned(
    AuthEvents.PasskeyCopied,
    'a passkey was refused, of which there may be a copy',
  ),
  suspended: warned(AuthEvents.Suspended, 'an account was suspended'),
  restored: told(AuthEvents.Restored, 'an account was restored'),
}

function warned(event: SecurityKind['event'], message: string): SecurityKind {
  return { event, level: 'warn', message }
}

function told(event: SecurityKind['event'], message: string): SecurityKind {
  return { event, level: 'info', message }
}

/** Options of `SecurityLog`. */
export interface SecurityLogOptions {
  /** Receives the log lines, on its channel `security`. */
  readonly logs: Logs
  /** The emitter of the events. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Counts the events. @default the registry of this process, once there is one */
  readonly observability?: Observability | null
  /** Lines per minute of one kind from one network. @default 10 */
  readonly lines?: number
  /** Networks per kind that are told apart within a minute. @default 100 */
  readonly networks?: number
  /** The network of an address. @default the /24 of IPv4, the /48 of IPv6 */
  readonly network?: (peer: string) => string
}

const windowSeconds = 60

/**
 * Records security events until it is closed: each counts in `security_events_total`, and is a line on
 * the channel `security`, with the network of the client instead of its address. Of one kind and
 * network only a few lines a minute are written; the rest is one line with their number at the end of
 * the minute, so that nobody fills the log. Projects have one already.
 */
export class SecurityLog {
  readonly #channel: Channel
  readonly #network: (peer: string) => string
  readonly #quota: LineQuota<SecurityKinds>
  readonly #stops: (() => void)[] = []
  #counter: SecurityCounter | null = null
  #window: NodeJS.Timeout | null = null

  constructor(options: SecurityLogOptions) {
    const { logs, emitter = Emitter.Instance, observability, network = networkOf } = options
    const { lines = 10, networks = 100 } = options
    this.#channel = logs.channel('security')
    this.#network = network
    this.#quota = new LineQuota({ lines, sources: networks })
    const countIn = (registry: Observability): void => {
      this.#counter = SecurityCounter.in(registry)
    }
    if (observability === undefined) this.#stops.push(Observability.follow(countIn))
    else if (observability !== null) countIn(observability)
    for (const kind of Object.values(SecurityKinds)) {
      const { event } = securityKinds[kind]
      this.#stops.push(emitter.listen(event, (payload) => this.#record(kind, payload)))
    }
  }

  /** Stops listening and writes the pending numbers; the counters keep their values. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
    this.#endWindow()
  }

  #record(kind: SecurityKinds, payload: SecurityEventPayload | AuthEventPayload): void {
    this.#counter?.count(kind)
    const network = this.#network(payload.peer)
    this.#window ??= setTimeout(() => this.#endWindow(), windowSeconds * 1000).unref()
    if (!this.#quota.take(kind, network)) return
    const { level, message } = securityKinds[kind]
    // Listed one by one, so that other fields of a payload stay out of the log.
    const { route = null, request, at } = payload
    const user = loggedId(payload.user)
    const account = loggedId('account' in payload ? payload.account : null)
    const reason = loggedId('reason' in payload ? payload.reason : null)
    const context = { kind, network, route, user, account, request, at }
    this.#channel[level](message, reason === null ? context : { ...context, reason })
  }

  #endWindow(): void {
    if (this.#window !== null) clearTimeout(this.#window)
    this.#window = null
    for (const { kind, source: network, count } of this.#quota.restart()) {
      const { level, message } = securityKinds[kind]
      const context = { kind, network, count, seconds: windowSeconds }
      this.#channel[level](`${count} more: ${message}`, context)
    }
  }
}

/** The counter of security events in one registry. All series exist from the start, at 0. */
export class SecurityCounter {
  /** The counter of a registry, created on first use. */
  static readonly in: (registry: Observability) => SecurityCounter = perRegistry(
    (registry) => new SecurityCounter(registry),
  )

  readonly #events = new Counter('security_events_total', { help: 'Security events, by kind.' })

  private constructor(registry: Observability) {
    registry.metrics.push(this.#events)
    // An alert on a rate needs the 0 before the first 1.
    for (const kind of Object.values(SecurityKinds)) this.#events.with({ kind })
  }

  count(kind: SecurityKinds): void {
    this.#events.with({ kind }).increment()
  }
}
