import { networkOf } from '../../base/addresses/network-of.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Channel } from '../../logs/channel.ts'
import { LineQuota } from '../../logs/line-quota.ts'
import type { Logs } from '../../logs/logs.ts'
import { Observability } from '../../metrics/observability.ts'
import type { AuthEventPayload } from '../auth-events.ts'
import { loggedId } from '../../http/request/logged-id.ts'
import { SecurityCounter } from './security-counter.ts'
import type { SecurityEventPayload } from '../../http/security-events.ts'
import { SecurityKinds, securityKinds } from './security-kinds.ts'

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
  readonly #registry: () => Observability | null
  readonly #network: (peer: string) => string
  readonly #quota: LineQuota<SecurityKinds>
  readonly #stops: (() => void)[] = []
  #window: NodeJS.Timeout | null = null

  constructor(options: SecurityLogOptions) {
    const { logs, emitter = Emitter.Instance, observability, network = networkOf } = options
    const { lines = 10, networks = 100 } = options
    this.#channel = logs.channel('security')
    this.#network = network
    this.#quota = new LineQuota({ lines, sources: networks })
    this.#registry = () => (observability === undefined ? Observability.Instance : observability)
    if (observability === undefined) {
      this.#stops.push(Observability.follow((registry) => void SecurityCounter.in(registry)))
    } else if (observability !== null) SecurityCounter.in(observability)
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
    const registry = this.#registry()
    if (registry !== null) SecurityCounter.in(registry).count(kind)
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
