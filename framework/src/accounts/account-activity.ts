import { hash } from 'node:crypto'
import { networkOf } from '../base/network.ts'
import { invalidArgument } from '../base/errors.ts'
import type { InvalidArgumentException } from '../base/errors.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import { decodeCursor, encodeCursor, malformed } from '../orm/pagination/cursor.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import type { Schema } from '../migrations/schema.ts'
import { eventLabel } from './auth-events.ts'
import { checkedUser } from './tokens/token.ts'
import type { AuthEventName } from './auth-events.ts'

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
  /** Who did it: the id of an account, or `operator` for a command. @default the account itself */
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

/** Options of `AccountActivity`. Times are seconds. */
export interface AccountActivityOptions {
  /** After which a row is swept. @default 31536000, a year */
  readonly keep?: number
  /** For how long a device counts as seen. @default 7776000, 90 days */
  readonly seen?: number
  /** Rows of one account; the oldest make room. @default 10000 */
  readonly limit?: number
  /** Epoch seconds. */
  readonly clock?: () => number
  /** A random number from 0 up to 1; one in a hundred additions also drops what is above the limit. */
  readonly random?: () => number
}

/** Options of `AccountActivity.list`. */
export interface ListActivityOptions {
  /** `next` of the page before. @default the newest */
  readonly cursor?: string | null
  /** @default 20 */
  readonly limit?: number
}

const additionsPerTrim = 100
const maxPage = 100

/** The events that show that a device is used by the owner. */
const signIns = ['Registered', 'Login', 'Revived'].map(eventLabel)

/**
 * What happened to accounts, for their owners: a row for each event, written in the transaction of what
 * it tells. So there is no change without its row and no row without its change. Every method rejects
 * with the DatabaseError of its statement.
 */
export class AccountActivity {
  readonly #rows: ExpiringTable
  readonly #options: AccountActivityOptions
  readonly #now: () => number

  /** Pass a transaction as the surface to make the operations part of it. */
  constructor(surface: Surface, options: AccountActivityOptions = {}) {
    const { clock = epochSeconds } = options
    this.#rows = new ExpiringTable(surface, 'account_activity', 'id')
    this.#options = options
    this.#now = () => Math.floor(clock())
  }

  /** The same on another surface: a transaction, whose outcome the rows share. */
  within(surface: Surface): AccountActivity {
    return new AccountActivity(surface, this.#options)
  }

  /** Records an event. */
  async record(entry: ActivityEntry): Promise<void> {
    const { user, event, method = null, peer = '', agent = '', request = null } = entry
    const { actor = user } = entry
    await this.#rows.run(sql`INSERT INTO ${this.#rows.name}
      (user_id, event, method, agent, device, network, request, actor, at)
      VALUES (${checkedUser(user)}, ${eventLabel(event)}, ${method?.slice(0, 64) ?? null},
        ${agent.slice(0, 255)}, ${deviceDigest(agent)}, ${networkOf(peer).slice(0, 64)},
        ${request?.slice(0, 128) ?? null}, ${actor.slice(0, 255)}, ${this.#now()})`)
    const { random = Math.random } = this.#options
    if (random() * additionsPerTrim < 1) await this.#trim(user)
  }

  /**
   * Whether a device is new to an account: nobody has signed in from this kind of browser and network for
   * 90 days. False for an account of which no sign-in is known, since then every device would be new.
   */
  async isNewDevice({ user, agent = '', peer = '' }: ActivityEntry): Promise<boolean> {
    const { seen = 7_776_000 } = this.#options
    const isKnown = sql`device = ${deviceDigest(agent)} AND network = ${networkOf(peer).slice(0, 64)}
      AND at > ${this.#now() - seen}`
    const [row] = await this.#rows
      .rows(sql`SELECT MAX(CASE WHEN ${isKnown} THEN 1 ELSE 0 END) AS known
      FROM ${this.#rows.name} WHERE user_id = ${user} AND event IN (${sql.list(signIns)})`)
    const known = row?.['known'] ?? null
    return known !== null && Number(known) === 0
  }

  /**
   * The events of an account, newest first.
   * @throws InvalidArgumentException for a malformed cursor, or a limit that is not from 1 to 100.
   */
  async list(user: string, options: ListActivityOptions = {}): Promise<ActivityPage> {
    const { cursor = null, limit = 20 } = options
    if (!Number.isInteger(limit) || limit < 1 || limit > maxPage) throw invalidLimit(limit)
    const before = cursor === null ? sql`` : sql`AND id < ${readCursor(cursor)}`
    const found = await this.#rows
      .rows(sql`SELECT id, event, method, agent, network, request, actor, at
      FROM ${this.#rows.name} WHERE user_id = ${user} ${before} ORDER BY id DESC LIMIT ${limit + 1}`)
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return { rows: shown.map(activityRow), next: last === undefined ? null : cursorOf(last) }
  }

  /** Deletes all rows of an account, which goes with them, and resolves with their number. */
  forget(user: string): Promise<number> {
    return this.#rows.drop(sql`user_id = ${user}`)
  }

  /** Deletes all rows that are older than a year and resolves with their number. */
  sweep(): Promise<number> {
    const { keep = 31_536_000 } = this.#options
    return this.#rows.sweep(sql`at <= ${this.#now() - keep}`)
  }

  // Whoever signs in and out without end must not fill the table.
  async #trim(user: string): Promise<void> {
    const { limit = 10_000 } = this.#options
    const [row] = await this.#rows.rows(sql`SELECT id FROM ${this.#rows.name}
      WHERE user_id = ${user} ORDER BY id DESC LIMIT 1 OFFSET ${limit}`)
    if (row === undefined) return
    await this.#rows.drop(sql`user_id = ${user} AND id <= ${row['id']}`)
  }
}

/**
 * Digest of the kind of browser that a user agent names. Without the versions: an update does not make
 * it another device.
 */
function deviceDigest(agent: string): string {
  return hash('sha256', agent.replace(/[\d._]+/g, ''), 'hex').slice(0, 32)
}

function activityRow(row: ObjectRow): ActivityRow {
  const { method, request } = row
  return {
    event: String(row['event']),
    method: typeof method === 'string' ? method : null,
    agent: String(row['agent']),
    network: String(row['network']),
    request: typeof request === 'string' ? request : null,
    actor: String(row['actor']),
    at: Number(row['at']),
  }
}

function invalidLimit(limit: number): InvalidArgumentException {
  return invalidArgument(
    `the limit of a list of activity must be a whole number from 1 to ${maxPage}, got ${limit}`,
  )
}

function cursorOf({ id }: ObjectRow): string {
  return encodeCursor([Number(id)])
}

function readCursor(cursor: string): number {
  const [id] = decodeCursor(cursor, 1)
  if (typeof id === 'number' && Number.isSafeInteger(id)) return id
  throw malformed('it holds no row of this list')
}

/**
 * Creates the table for `AccountActivity`, in a migration: `await createActivityTable(schema)`. Its
 * `down` is `schema.dropTable('account_activity')`.
 */
export async function createActivityTable(schema: Schema): Promise<void> {
  await schema.createTable('account_activity', (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.text('event', { length: 32 })
    table.text('method', { length: 64 }).nullable()
    table.text('agent', { length: 255 })
    // Digest of the kind of browser, which stays the same when the browser is updated.
    table.char('device', 32)
    table.text('network', { length: 64 })
    table.text('request', { length: 128 }).nullable()
    table.text('actor', { length: 255 })
    table.bigint('at')
    table.index(['user_id', 'id'])
    table.index(['at'])
  })
}
