import { hash } from 'node:crypto'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import { committedTransaction } from '../../database/transaction-options.ts'
import type { Surface, Transaction } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import {
  isProven,
  newTokenText,
  readTokenText,
  tokenText,
  Token,
  checkedSeconds,
  checkedUser,
  expiryOf,
} from '../tokens/token.ts'
import type { TokenProof } from '../tokens/token.ts'

/** A trusted device, as listed to its owner. Times are epoch seconds. */
export interface Device {
  /** Identifies it on pages and in URLs. */
  readonly handle: string
  readonly agent: string
  readonly peer: string
  readonly created: number
  /** When it last signed someone in, or was created. */
  readonly used: number
  readonly expires: number
}

/** The client that uses a device. */
interface DeviceUse {
  /** The user agent. */
  readonly agent?: string
  /** The client's address. */
  readonly peer?: string
}

/**
 * A used validator was presented again: the cookie was copied. By now all devices of the user have
 * been dropped. Read-only.
 */
export class Theft {
  /** The owner of the device. */
  readonly user: string
  /** The series that the validator belonged to. */
  readonly selector: string
  /** When it was detected, in epoch seconds. */
  readonly at: number

  constructor(user: string, selector: string, at: number) {
    this.user = user
    this.selector = selector
    this.at = at
    Object.freeze(this)
  }
}

/** Options of `Trust`. */
export interface TrustOptions extends SecretRowsOptions {
  /** @default 'trusts' */
  readonly table?: string
  /** Seconds after which a device ends, however often it is used. @default 15552000, 180 days */
  readonly maxAge?: number
}

/** Options of `Trust.rotate`. */
export interface RotateOptions extends DeviceUse {
  /**
   * Seconds for which the previous validator is not treated as theft. With 0 every wrong validator
   * is theft. @default 0
   */
  readonly grace?: number
  /**
   * Called with the user before a theft drops the devices, to end other things first. If it
   * rejects, nothing is dropped and no theft is reported; presenting the token again repeats the
   * attempt.
   */
  readonly beforeTheft?: (user: string) => Promise<unknown>
  /** Runs in the transaction in which a theft drops the devices; if it throws, none is dropped. */
  readonly alongsideTheft?: (transaction: Transaction, theft: Theft) => Promise<unknown>
}

/** Options of `Trust.revoke`. */
export interface RevokeDevicesOptions {
  /** Handle of the device to keep, as returned by `list`. */
  readonly except?: string | null
}

const lifetime = 2_592_000
const maxDevices = 50
const defaultMaxAge = 15_552_000
const maxAgentLength = 255
const maxPeerLength = 64

/**
 * Trusted devices. Each has a series whose validator changes with every use, so that a copied one
 * is noticed. When the database fails, methods report the error and return null, false or 0; inside
 * a transaction they rethrow.
 */
export class Trust {
  readonly #rows: SecretRows
  readonly #maxAge: number
  readonly #options: TrustOptions

  /**
   * Pass a transaction as the surface to make the operations part of it.
   * @throws InvalidArgumentException for a `maxAge` below 1.
   */
  constructor(surface: Surface, options: TrustOptions = {}) {
    const { maxAge = defaultMaxAge } = options
    this.#rows = new SecretRows(surface, options.table ?? 'trusts', options)
    this.#options = options
    this.#maxAge = expiryOf(0, maxAge)
  }

  /**
   * Starts a series for a device of the user, valid for `ttl` seconds. A user has at most 50: the one that
   * was not used for longest makes room.
   * @throws InvalidArgumentException for an empty user or a `ttl` below 1; DatabaseError when it
   * cannot be stored.
   */
  async issue(
    user: string,
    ttl: number = lifetime,
    { agent = '', peer = '' }: DeviceUse = {},
  ): Promise<Token> {
    const now = this.#rows.now()
    const expires = Math.min(expiryOf(now, ttl), now + this.#maxAge)
    const { selector, digest, value } = newTokenText()
    await this.#rows.run(sql`INSERT INTO ${this.#rows.name}
      (selector, verifier, user_id, expires, created_at, agent, peer, used)
      VALUES (${selector}, ${digest}, ${checkedUser(user)}, ${expires}, ${now},
        ${agent.slice(0, maxAgentLength)}, ${peer.slice(0, maxPeerLength)}, ${now})`)
    await this.#trim(user)
    await this.#rows.sweepByChance()
    return new Token({ value, selector, user, purpose: null, expires })
  }

  /**
   * Exchanges a device token for the next one of its series, valid for `ttl` seconds from now, but not
   * beyond the end of the device. Null for a token that is unknown or expired, and for all but one of
   * concurrent calls. Theft for a
   * token that has been replaced already: then all devices of the user are dropped.
   * @throws InvalidArgumentException for a `ttl` below 1 or a negative grace.
   */
  async rotate(
    token: string,
    ttl: number = lifetime,
    { grace = 0, beforeTheft, alongsideTheft, ...use }: RotateOptions = {},
  ): Promise<Token | Theft | null> {
    const now = this.#rows.now()
    const expires = expiryOf(now, ttl)
    const earliest = now - checkedSeconds(grace, 'grace')
    return this.#rows.failClosed(null, async () => {
      const { row, isCurrent, proof } = await this.#find(token)
      if (row === null || (await this.#isOver(row, now))) return null
      if (isCurrent) return this.#renew(row, now, Math.min(expires, this.#endOf(row)), use)
      if (grace > 0 && isWithinGrace(row, proof, earliest)) return null
      await beforeTheft?.(String(row['user_id']))
      return alongsideTheft === undefined
        ? this.#dropAll(row, now)
        : this.#dropAllAnd(row, now, alongsideTheft)
    })
  }

  /**
   * The user of a current token, which stays valid. Null for any other token, and without consequences:
   * only `rotate` treats a used one as stolen.
   */
  owner(token: string): Promise<string | null> {
    return this.#rows.failClosed<string | null>(null, async () => {
      const { row, isCurrent } = await this.#find(token)
      if (row === null || !isCurrent || Number(row['expires']) <= this.#rows.now()) return null
      return String(row['user_id'])
    })
  }

  /** Drops the series of a token if the token is current; resolves with whether it did. */
  forget(token: string): Promise<boolean> {
    return this.#rows.failClosed(false, async () => {
      const { row, isCurrent } = await this.#find(token)
      if (row === null || (await this.#rows.isOver(row, this.#rows.now())) || !isCurrent)
        return false
      const { id, verifier } = row
      return (await this.#rows.drop(sql`id = ${id} AND verifier = ${verifier}`)) === 1
    })
  }

  /**
   * Drops all devices of a user except the one with the handle `except`; resolves with their
   * number.
   */
  revoke(user: string, { except = null }: RevokeDevicesOptions = {}): Promise<number> {
    return this.#rows.failClosed(0, async () => {
      const kept = except === null ? undefined : await this.#byHandle(user, except)
      const others = kept === undefined ? sql`` : sql`AND id <> ${kept['id']}`
      return this.#rows.drop(sql`user_id = ${user} ${others}`)
    })
  }

  /** Deletes all expired series and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows.sweepExpired()
  }

  /**
   * The devices of a user, most recently used first.
   * @throws DatabaseError, since an empty list would mean that there are none.
   */
  async list(user: string): Promise<readonly Device[]> {
    return (await this.#live(user)).map(device)
  }

  /** Drops the device of a user with this handle; resolves with whether there was one. */
  end(user: string, handle: string): Promise<boolean> {
    return this.#rows.failClosed(false, async () => {
      const row = await this.#byHandle(user, handle)
      if (row === undefined) return false
      return (await this.#rows.drop(sql`id = ${row['id']} AND user_id = ${user}`)) === 1
    })
  }

  /** Whether the series with this selector still exists and has not expired. */
  isLive(selector: string): Promise<boolean> {
    return this.#rows.failClosed(false, async () => {
      const found = await this.#rows.rows(sql`SELECT id FROM ${this.#rows.name}
        WHERE selector = ${selector} AND expires > ${this.#rows.now()}`)
      return found.length === 1
    })
  }

  // After the insertion: of several at once, the last to look sees them all.
  async #trim(user: string): Promise<void> {
    const extra = await this.#rows.rows(sql`SELECT id FROM ${this.#rows.name}
      WHERE user_id = ${user} ORDER BY used DESC, id DESC LIMIT 1000 OFFSET ${maxDevices}`)
    if (extra.length === 0) return
    const ids = extra.map(({ id }) => id)
    await this.#rows.drop(sql`user_id = ${user} AND id IN (${sql.list(ids)})`)
  }

  /** Whether a device has expired. If so it is deleted. */
  async #isOver(row: ObjectRow, now: number): Promise<boolean> {
    if (await this.#rows.isOver(row, now)) return true
    if (this.#endOf(row) > now) return false
    // Stored before there was an end, or while it was later.
    await this.#rows.drop(sql`id = ${row['id']}`)
    return true
  }

  #endOf({ created_at: created }: ObjectRow): number {
    return Number(created) + this.#maxAge
  }

  /**
   * Stores the next validator; null if a concurrent call has already replaced the presented one.
   */
  async #renew(
    { id, selector, verifier, user_id: user }: ObjectRow,
    now: number,
    expires: number,
    { agent, peer }: DeviceUse,
  ): Promise<Token | null> {
    const next = tokenText(String(selector))
    const { affected } = await this.#rows.run(sql`UPDATE ${this.#rows.name} SET
      verifier = ${next.digest}, previous = ${verifier}, rotated = ${now}, expires = ${expires},
      used = ${now}, agent = COALESCE(${agent?.slice(0, maxAgentLength) ?? null}, agent),
      peer = COALESCE(${peer?.slice(0, maxPeerLength) ?? null}, peer)
      WHERE id = ${id} AND selector = ${selector} AND verifier = ${verifier} AND expires > ${now}`)
    if (affected === 0) return null
    const { value } = next
    return new Token({ value, selector: next.selector, user: String(user), purpose: null, expires })
  }

  async #dropAll({ id, selector, user_id: user }: ObjectRow, now: number): Promise<Theft | null> {
    // If the series is gone, a concurrent call has reported the theft already. It must be reported
    // only once, and must not drop devices that the owner has added since.
    const dropped = await this.#rows.drop(sql`user_id = ${user}
      AND EXISTS (SELECT 1 FROM ${this.#rows.name} AS replayed WHERE replayed.id = ${id})`)
    return dropped === 0 ? null : new Theft(String(user), String(selector), now)
  }

  #dropAllAnd(
    row: ObjectRow,
    now: number,
    alongside: (transaction: Transaction, theft: Theft) => Promise<unknown>,
  ): Promise<Theft | null> {
    return committedTransaction(this.#rows.surface, async (transaction) => {
      const theft = await new Trust(transaction, this.#options).#dropAll(row, now)
      if (theft !== null) await alongside(transaction, theft)
      return theft
    })
  }

  async #find(token: string): Promise<FoundSeries> {
    const proof = readTokenText(token)
    if (proof === null) return notFound
    const [row = null] = await this.#rows.rows(sql`SELECT id, selector, verifier, previous, rotated,
      user_id, expires, created_at FROM ${this.#rows.name} WHERE selector = ${proof.selector}${this.#rows.lock}`)
    const isCurrent = isProven(row === null ? null : String(row['verifier']), proof)
    return { row, isCurrent, proof }
  }

  async #byHandle(user: string, handle: string): Promise<ObjectRow | undefined> {
    const rows = await this.#live(user)
    return rows.find(({ selector }) => deviceHandle(String(selector)) === handle)
  }

  #live(user: string): Promise<readonly ObjectRow[]> {
    return this.#rows.rows(sql`SELECT id, selector, agent, peer, created_at, used, expires
      FROM ${this.#rows.name} WHERE user_id = ${user} AND expires > ${this.#rows.now()}
      ORDER BY used DESC, id DESC`)
  }
}

/**
 * The public id of a device, for pages and URLs. The selector must not appear there: with it and
 * any wrong validator, a reader could get all devices of the owner dropped.
 */
export function deviceHandle(selector: string): string {
  return hash('sha256', `device handle ${selector}`, 'hex').slice(0, 32)
}

interface FoundSeries {
  readonly row: ObjectRow | null
  /** Whether the presented validator is the current one. */
  readonly isCurrent: boolean
  readonly proof: TokenProof
}

const notFound: FoundSeries = { row: null, isCurrent: false, proof: { selector: '', digest: '' } }

/** Whether the presented validator is the previous one and was replaced only a moment ago. */
function isWithinGrace(
  { previous, rotated }: ObjectRow,
  proof: TokenProof,
  earliest: number,
): boolean {
  const isPrevious = isProven(typeof previous === 'string' ? previous : null, proof)
  return isPrevious && Number(rotated) >= earliest
}

function device(row: ObjectRow): Device {
  return {
    handle: deviceHandle(String(row['selector'])),
    agent: String(row['agent']),
    peer: String(row['peer']),
    created: Number(row['created_at']),
    used: Number(row['used']),
    expires: Number(row['expires']),
  }
}

/**
 * Creates the table for `Trust`, in a migration: `await createTrustsTable(schema)`. Its `down` is
 * `schema.dropTable('trusts')`.
 */
export async function createTrustsTable(schema: Schema, name: string = 'trusts'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // The previous digest and when it was replaced, for the grace period.
    table.char('previous', 64).nullable()
    table.bigint('rotated').nullable()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.bigint('expires')
    table.bigint('created_at')
    table.text('agent', { length: 255 })
    table.text('peer', { length: 64 })
    table.bigint('used')
    table.index(['user_id'])
    table.index(['expires'])
  })
}
