import { hash } from 'node:crypto'
import type { AuthEventName } from '../auth-events.ts'

/** Something that happened to an account, as it is recorded. */
export interface ActivityEntry {
  /** Id of the account. */
  readonly user: string
  readonly event: AuthEventName
  /** How it was done: `password`, `password+totp`, `device`, or which factor was added. @default null */
  readonly method?: string | null
  /** Address of the client. Only its network is stored. @default '' */
  readonly peer?: string
  /** The user agent. @default '' */
  readonly agent?: string
  /** Id of the request. @default null */
  readonly request?: string | null
  /**
   * Who did it: the id of an account, or `operator` for a command.
   * @default the account itself
   */
  readonly actor?: string
}

/** A recorded event, for its owner. */
export interface ActivityRow {
  /** The event as in log lines: `login`, `factor_added`. */
  readonly event: string
  readonly method: string | null
  /** The user agent, as the client has sent it. */
  readonly agent: string
  /** The network of the client: the /24 of IPv4, the /48 of IPv6. */
  readonly network: string
  /** Id of the request; null outside a request. */
  readonly request: string | null
  /** The id of an account, or `operator`. */
  readonly actor: string
  /** Epoch seconds. */
  readonly at: number
}

/** A page of recorded events, newest first. */
export interface ActivityPage {
  readonly rows: readonly ActivityRow[]
  /** Cursor of the next page; null on the last. */
  readonly next: string | null
}

/** The part of a request that an entry records. */
interface RequestOrigin {
  readonly id: string
  readonly peer: string
  header(name: string): string | undefined
}

/** Where a request came from, as an entry takes it. */
export function entryOrigin(
  request: RequestOrigin,
): Required<Pick<ActivityEntry, 'peer' | 'agent' | 'request'>> {
  return { peer: request.peer, agent: request.header('user-agent') ?? '', request: request.id }
}

/**
 * Digest of the kind of browser that a user agent names. Without the versions: an update does not make
 * it another device.
 */
export function deviceDigest(agent: string): string {
  return hash('sha256', agent.replace(/[\d._]+/g, ''), 'hex').slice(0, 32)
}
