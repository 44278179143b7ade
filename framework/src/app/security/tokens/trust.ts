import type { ObjectRow } from '../../../data/database/object-rows.ts'
import type { Surface } from '../../../data/database/surface.ts'
import { sql } from '../../../data/sql/plan/statement.ts'
import { deviceHandle } from './device.ts'
import type { Device, DeviceUse } from './device.ts'
import { SecretRows } from './secret-rows.ts'
import type { SecretRowsOptions } from './secret-rows.ts'
import { Theft } from './theft.ts'
import { isProven, newTokenText, readTokenText, tokenText } from './token-text.ts'
import type { TokenProof } from './token-text.ts'
import { Token, checkedGrace, checkedUser, endOf } from './token.ts'

/** Where the rows of `Trust` are and how it works. */
export type TrustOptions = SecretRowsOptions

/** How a device is recognised, and what is noted of it. */
export interface RotateOptions extends DeviceUse {
  /**
   * Seconds in which the validator before the current one is no theft. Left out or 0 there is no such
   * time, and every wrong validator is one.
   */
  readonly grace?: number
  /**
   * Called with the user before a theft drops the devices, for what must end with them. If it rejects
   * nothing is dropped and nothing called a theft: the same token is one again later.
   */
  readonly beforeTheft?: (user: string) => Promise<unknown>
}

/** Which device stays when all others are dropped. */
export interface RevokeDevicesOptions {
  /** A handle, as `list` tells it. */
  readonly except?: string | null
}

const lifetime = 2_592_000
const maxAgentLength = 255
const maxPeerLength = 64

/**
 * Trusted devices: each has a series, whose validator changes with every use, so that a copied one
 * shows itself. A failing database makes every answer a refusal (null, false, 0) and is reported; in a
 * transaction it is thrown.
 */
export class Trust {
  readonly #rows: SecretRows

  /** A transaction as the surface makes what is done part of it. */
  constructor(surface: Surface, options: TrustOptions = {}) {
    this.#rows = new SecretRows(surface, 'trusts', options)
  }

  /**
   * A new series for a device of the user, good for `ttl` seconds.
   * @throws InvalidArgumentException for an empty user or less than a second; DatabaseError when it
   *   cannot be stored.
   */
  async issue(
    user: string,
    ttl: number = lifetime,
    { agent = '', peer = '' }: DeviceUse = {},
  ): Promise<Token> {
    const now = this.#rows.now()
    const expires = endOf(now, ttl)
    const { selector, digest, value } = newTokenText()
    await this.#rows.run(sql`INSERT INTO ${this.#rows.name}
      (selector, verifier, user_id, expires, created_at, agent, peer, used)
      VALUES (${selector}, ${digest}, ${checkedUser(user)}, ${expires}, ${now},
        ${agent.slice(0, maxAgentLength)}, ${peer.slice(0, maxPeerLength)}, ${now})`)
    await this.#rows.sweepByChance()
    return new Token({ value, selector, user, purpose: null, expires })
  }

  /**
   * Takes a token of a device and gives the next one of its series, good for `ttl` seconds from now.
   * Null for a token that is unknown or over, and for all but one of those that come with it at the
   * same moment. Theft for one that is no longer the current: then all devices of the user are dropped.
   * @throws InvalidArgumentException for less than a second, or a grace below 0.
   */
  async rotate(
    token: string,
    ttl: number = lifetime,
    { grace = 0, beforeTheft, ...use }: RotateOptions = {},
  ): Promise<Token | Theft | null> {
    const now = this.#rows.now()
    const expires = endOf(now, ttl)
    const earliest = now - checkedGrace(grace)
    return this.#rows.failClosed(null, async () => {
      const { row, isHolder, proof } = await this.#find(token)
      if (row === null || (await this.#rows.isOver(row, now))) return null
      if (isHolder) return this.#renew(row, now, expires, use)
      if (grace > 0 && isLate(row, proof, earliest)) return null
      await beforeTheft?.(String(row['user_id']))
      return this.#dropAll(row, now)
    })
  }

  /** Drops the series of a token, if it is the current one of it. Whether that was so. */
  forget(token: string): Promise<boolean> {
    return this.#rows.failClosed(false, async () => {
      const { row, isHolder } = await this.#find(token)
      if (row === null || (await this.#rows.isOver(row, this.#rows.now())) || !isHolder)
        return false
      const { id, verifier } = row
      return (await this.#rows.drop(sql`id = ${id} AND verifier = ${verifier}`)) === 1
    })
  }

  /** Drops all devices of a user, but the one with the handle given as `except`; the number of them. */
  revoke(user: string, { except = null }: RevokeDevicesOptions = {}): Promise<number> {
    return this.#rows.failClosed(0, async () => {
      const kept = except === null ? undefined : await this.#byHandle(user, except)
      const others = kept === undefined ? sql`` : sql`AND id <> ${kept['id']}`
      return this.#rows.drop(sql`user_id = ${user} ${others}`)
    })
  }

  /** Drops every series whose time is over; the number of them. */
  sweep(): Promise<number> {
    return this.#rows.failClosed(0, () => this.#rows.sweepExpired())
  }

  /**
   * The devices of a user, the last used one first.
   * @throws DatabaseError, since an empty list would say that there are none.
   */
  async list(user: string): Promise<readonly Device[]> {
    return (await this.#live(user)).map(device)
  }

  /** Drops the device of a user that has this handle. Whether there was one. */
  end(user: string, handle: string): Promise<boolean> {
    return this.#rows.failClosed(false, async () => {
      const row = await this.#byHandle(user, handle)
      if (row === undefined) return false
      return (await this.#rows.drop(sql`id = ${row['id']} AND user_id = ${user}`)) === 1
    })
  }

  /** Whether the series of a selector is still there and not over. */
  isLive(selector: string): Promise<boolean> {
    return this.#rows.failClosed(false, async () => {
      const found = await this.#rows.rows(sql`SELECT id FROM ${this.#rows.name}
        WHERE selector = ${selector} AND expires > ${this.#rows.now()}`)
      return found.length === 1
    })
  }

  /** The next validator, for the one whose UPDATE still finds the one that was presented. */
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
    // Without the series somebody else was first, who tells of it: a theft is told once, and takes no
    // device that the owner has added since.
    const dropped = await this.#rows.drop(sql`user_id = ${user}
      AND EXISTS (SELECT 1 FROM ${this.#rows.name} AS replayed WHERE replayed.id = ${id})`)
    return dropped === 0 ? null : new Theft(String(user), String(selector), now)
  }

  async #find(token: string): Promise<Finding> {
    const proof = readTokenText(token)
    if (proof === null) return nothing
    const [row = null] = await this.#rows.rows(sql`SELECT id, selector, verifier, previous, rotated,
      user_id, expires FROM ${this.#rows.name} WHERE selector = ${proof.selector}${this.#rows.lock}`)
    const isHolder = isProven(row === null ? null : String(row['verifier']), proof)
    return { row, isHolder, proof }
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

interface Finding {
  readonly row: ObjectRow | null
  /** Whether the current validator was presented. */
  readonly isHolder: boolean
  readonly proof: TokenProof
}

const nothing: Finding = { row: null, isHolder: false, proof: { selector: '', digest: '' } }

/** Whether the validator before the current one was presented, and was current not long ago. */
function isLate({ previous, rotated }: ObjectRow, proof: TokenProof, earliest: number): boolean {
  const wasHolder = isProven(typeof previous === 'string' ? previous : null, proof)
  return wasHolder && Number(rotated) >= earliest
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
