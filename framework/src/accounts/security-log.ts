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
  readonly message: string
}

/** Every kind of the security log. */
export const securityKinds: Readonly<Record<SecurityKinds, SecurityKind>> = {
  limit: { event: SecurityEvents.LimitExceeded, message: 'a rate limit was exceeded' },
  csrf: {
    event: SecurityEvents.TokenRefused,
    message: 'a form without its CSRF token was refused',
  },
  origin: {
    event: SecurityEvents.OriginRefused,
    message: 'a request of another site was refused',
  },
  forbidden: { event: SecurityEvents.Forbidden, message: 'a request was forbidden' },
  foreign_id: { event: SecurityEvents.ForeignId, message: 'an unknown or foreign id was refused' },
  sign_in: { event: AuthEvents.Failed, message: 'a sign-in was refused' },
  confirmation: { event: AuthEvents.Verified, message: 'an e-mail was verified' },
  theft: { event: AuthEvents.Theft, message: 'a stolen device token was used' },
  passkey_copied: {
    event: AuthEvents.PasskeyCopied,
    message: 'a passkey was refused, of which there may be a copy',
  },
  suspended: { event: AuthEvents.Suspended, message: 'an account was suspended' },
  restored: { event: AuthEvents.Restored, message: 'an account was restored' },
}

/** Refusals are warnings, so that `LOG_LEVEL=warn` keeps them. */
function levelOf({ event }: SecurityKind): 'info' | 'warn' {
  return 'level' in event ? event.level : 'warn'
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
  readonly #quota: LineQuota<SecurityKinds>
  readonly #stops: (() => void)[] = []
  #count: ((kind: SecurityKinds) => void) | null = null
  #window: NodeJS.Timeout | null = null

  constructor(options: SecurityLogOptions) {
    const { logs, emitter = Emitter.Instance, observability } = options
    const { lines = 10, networks = 100 } = options
    this.#channel = logs.channel('security')
    this.#quota = new LineQuota({ lines, sources: networks })
    const countIn = (registry: Observability): void => {
      this.#count = countSecurityEvents(registry)
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
    this.#count?.(kind)
    const network = networkOf(payload.peer)
    this.#window ??= setTimeout(() => this.#endWindow(), windowSeconds * 1000).unref()
    if (!this.#quota.take(kind, network)) return
    const { message } = securityKinds[kind]
    // Listed one by one, so that other fields of a payload stay out of the log.
    const { route = null, request, at } = payload
    const user = loggedId(payload.user)
    const account = loggedId('account' in payload ? payload.account : null)
    const reason = loggedId('reason' in payload ? payload.reason : null)
    const context = { kind, network, route, user, account, request, at }
    const level = levelOf(securityKinds[kind])
    this.#channel[level](message, reason === null ? context : { ...context, reason })
  }

  #endWindow(): void {
    if (this.#window !== null) clearTimeout(this.#window)
    this.#window = null
    for (const { kind, source: network, count } of this.#quota.restart()) {
      const context = { kind, network, count, seconds: windowSeconds }
      const { message } = securityKinds[kind]
      this.#channel[levelOf(securityKinds[kind])](`${count} more: ${message}`, context)
    }
  }
}

/** Counts an event by its kind, in a registry. All series exist from the start, at 0. */
export const countSecurityEvents: (registry: Observability) => (kind: SecurityKinds) => void =
  perRegistry((registry) => {
    const events = new Counter('security_events_total', { help: 'Security events, by kind.' })
    registry.metrics.push(events)
    // An alert on a rate needs the 0 before the first 1.
    for (const kind of Object.values(SecurityKinds)) events.with({ kind })
    return (kind) => events.with({ kind }).increment()
  })
