import { crc32 } from 'node:zlib'
import { invalidArgument } from '../../base/errors.ts'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Database, Surface, Transaction } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { NewApiToken } from '../../http/request/api-token.ts'
import type { ApiToken, ApiTokenUse } from '../../http/request/api-token.ts'
import type { Schema } from '../../migrations/schema.ts'
import type { ChangeOptions } from '../changes/credentials-options.ts'
import type { Credentials } from '../changes/credentials.ts'
import type { Undoable } from '../changes/account-undo.ts'
import { SecretRows, secretColumns } from './secret-rows.ts'
import type { SecretRowsOptions } from './secret-rows.ts'
import { checkedUser, expiryOf, newTokenText, proofOf } from './token.ts'
import type { NewTokenText, TokenProof } from './token.ts'

/** Options of `ApiTokens`. */
export interface ApiTokensOptions<Scope extends string> extends SecretRowsOptions {
  /** What tokens of this project can be allowed to do: `['items:read', 'items:write']`. */
  readonly scopes: readonly Scope[]
  /** Holds the account while its tokens change, and tells of it. */
  readonly credentials: Pick<Credentials, 'hold'>
  /** How many tokens an account can have. @default 50 */
  readonly maxTokens?: number
}

/** A token to create. */
export interface ApiTokenRequest<Scope extends string> {
  /** What its owner calls it, up to 100 characters. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Its lifetime in seconds; there are no tokens without one. */
  readonly ttl: number
}

const maxNameLength = 100
const maxScopesLength = 1000
/** The last use is written at most this often, in seconds. */
const usedInterval = 60
const columns = sql`user_id, name, scopes, created_at, used`

/** Selector, verifier and checksum. Scanners for leaked secrets can look for it. */
const tokenForm = /^fw_([0-9a-f]{16})_([0-9a-f]{64})([0-9a-f]{8})$/

/**
 * API tokens: secrets with which programs act for an account, each for some scopes and a limited time.
 * Only digests are stored. `find` and `list` throw if the database fails; other methods report the error
 * and return false or 0, and inside a transaction rethrow.
 */
export class ApiTokens<const Scope extends string = string> implements Undoable {
  /** Every scope of the project. */
  readonly scopes: readonly Scope[]
  readonly #rows: SecretRows
  readonly #options: ApiTokensOptions<Scope>

  /** @throws InvalidArgumentException for scopes that are not words. */
  constructor(database: Database, options: ApiTokensOptions<Scope>) {
    const { scopes } = options
    this.#rows = new SecretRows(database, 'api_tokens', options)
    this.scopes = Object.freeze([...scopes])
    this.#options = options
    checkScopes(scopes)
  }

  /** Whether a text is a scope of the project. */
  isScope(text: string): text is Scope {
    return this.scopes.some((scope) => scope === text)
  }

  /**
   * Creates a token; null if the account has as many as it can have.
   * @throws InvalidArgumentException for an empty or overlong name, no or unknown scopes, a lifetime
   * below 1; DatabaseError when it cannot be stored; FrameworkError E_SESSION_ENDED.
   */
  async create(
    user: string,
    { name, scopes, ttl }: ApiTokenRequest<Scope>,
    options: ChangeOptions,
  ): Promise<NewApiToken<Scope> | null> {
    const now = this.#rows.now()
    const expires = expiryOf(now, ttl)
    const label = checkedName(name)
    const granted = this.#checkedScopes(scopes)
    const { value, selector, digest } = newApiTokenText()
    const { credentials, maxTokens = 50 } = this.#options
    const insert = sql`INSERT INTO ${this.#rows.name}
      (selector, verifier, user_id, name, scopes, expires, created_at)
      VALUES (${selector}, ${digest}, ${checkedUser(user)}, ${label}, ${granted.join(' ')}, ${expires}, ${now})`
    const isCreated = await credentials.hold(user, options, async (surface, _account, tell) => {
      // Counted while the account is held: of several at once none sees the same number.
      if ((await this.#count(surface, user)) >= maxTokens) return null
      await surface.run(insert)
      await tell('TokenCreated', null, selector)
      return true
    })
    if (isCreated === null) return null
    await this.#rows.sweepByChance()
    const token = { handle: selector, name: label, scopes: granted, created: now, expires }
    return new NewApiToken(value, Object.freeze({ ...token, used: null }))
  }

  /**
   * The token with this text, if it is valid; null otherwise. Writes the time of its use at most once a
   * minute.
   * @throws DatabaseError, since a failing database must not look like an invalid token.
   */
  async find(text: string): Promise<ApiTokenUse<Scope> | null> {
    const row = await this.#rows.findLive(readApiTokenText(text), columns)
    if (row === null) return null
    const now = this.#rows.now()
    if (Number(row['used'] ?? 0) <= now - usedInterval) await this.#touch(row, now)
    return Object.freeze({ ...this.#token(row), user: String(row['user_id']) })
  }

  /**
   * The valid tokens of an account, newest first.
   * @throws DatabaseError, since an empty list would mean that there are none.
   */
  async list(user: string): Promise<readonly ApiToken<Scope>[]> {
    const rows = await this.#rows
      .rows(sql`SELECT selector, expires, ${columns} FROM ${this.#rows.name}
      WHERE user_id = ${user} AND expires > ${this.#rows.now()} ORDER BY created_at DESC, id DESC`)
    return rows.map((row) => this.#token(row))
  }

  /**
   * Deletes a token of an account; resolves with whether there was one.
   * @throws FrameworkError E_SESSION_ENDED
   */
  async revoke(user: string, handle: string, options: ChangeOptions): Promise<boolean> {
    const isOne = sql`user_id = ${user} AND selector = ${handle}`
    return (await this.#drop(user, null, isOne, options)) === 1
  }

  /**
   * Deletes all tokens of an account and records that once; resolves with their number.
   * @throws FrameworkError E_SESSION_ENDED
   */
  revokeAll(user: string, options: ChangeOptions): Promise<number> {
    return this.#drop(user, 'all', sql`user_id = ${user}`, options)
  }

  /**
   * Takes away the token with this handle, see `Undoable`.
   * @throws DatabaseError
   */
  async undo(transaction: Transaction, user: string, handle: string): Promise<null> {
    await transaction.run(
      sql`DELETE FROM ${this.#rows.name} WHERE user_id = ${user} AND selector = ${handle}`,
    )
    return null
  }

  /** Deletes all expired tokens and resolves with their number. */
  sweep(): Promise<number> {
    return this.#rows.sweepExpired()
  }

  // A failure is reported and does not refuse the token. Of concurrent requests one writes.
  #touch({ id }: ObjectRow, now: number): Promise<unknown> {
    return this.#rows.attempt<unknown>(null, () =>
      this.#rows.run(sql`UPDATE ${this.#rows.name} SET used = ${now}
        WHERE id = ${id} AND (used IS NULL OR used <= ${now - usedInterval})`),
    )
  }

  #token(row: ObjectRow): ApiToken<Scope> {
    const granted = String(row['scopes']).split(' ')
    return {
      handle: String(row['selector']),
      name: String(row['name']),
      // A scope that the project no longer has is gone from its tokens too.
      scopes: this.scopes.filter((scope) => granted.includes(scope)),
      created: Number(row['created_at']),
      expires: Number(row['expires']),
      used: row['used'] === null ? null : Number(row['used']),
    }
  }

  #drop(
    user: string,
    method: 'all' | null,
    condition: Statement,
    options: ChangeOptions,
  ): Promise<number> {
    const drop = sql`DELETE FROM ${this.#rows.name} WHERE ${condition}`
    return this.#rows.failClosed(0, async () => {
      const dropped = await this.#options.credentials.hold(
        user,
        options,
        async (surface, _account, tell) => {
          const { affected } = await surface.run(drop)
          if (affected === 0) return null
          await tell('TokenRevoked', method)
          return affected
        },
      )
      return dropped ?? 0
    })
  }

  async #count(surface: Surface, user: string): Promise<number> {
    const [row = {}] = await surface.rows(sql`SELECT count(*) AS tokens FROM ${this.#rows.name}
      WHERE user_id = ${user} AND expires > ${this.#rows.now()}`)
    return Number(row['tokens'])
  }

  #checkedScopes(scopes: readonly Scope[]): readonly Scope[] {
    const unknown = scopes.find((scope) => !this.isScope(scope))
    if (scopes.length > 0 && unknown === undefined) {
      return this.scopes.filter((scope) => scopes.includes(scope))
    }
    throw invalidArgument(
      `a token needs at least one of the scopes ${this.scopes.join(', ')}, got ${scopes.join(', ') || 'none'}`,
    )
  }
}

/** A new API token: `fw_<selector>_<verifier><checksum>`. */
export function newApiTokenText(): NewTokenText {
  const { value, ...proof } = newTokenText()
  const body = `fw_${value.replace('.', '_')}`
  return { ...proof, value: `${body}${checksum(body)}` }
}

/**
 * Parses a presented API token; null if it is malformed. The checksum finds typos and made-up tokens
 * before anything is asked of the database.
 */
export function readApiTokenText(text: string): TokenProof | null {
  const [, selector = '', verifier = '', sum] = tokenForm.exec(text) ?? []
  return sum === checksum(text.slice(0, -8)) ? proofOf(selector, verifier) : null
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

function checkScopes(scopes: readonly string[]): void {
  const isWord = (scope: string): boolean => /^[\w:.*/-]+$/.test(scope)
  const length = scopes.join(' ').length
  if (scopes.length > 0 && scopes.every(isWord) && length <= maxScopesLength) return
  throw invalidArgument(
    `scopes must be words such as items:read, at least one and together at most ${maxScopesLength} characters, got ${JSON.stringify(scopes)}`,
  )
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  const { length } = Array.from(trimmed)
  if (length >= 1 && length <= maxNameLength) return trimmed
  throw invalidArgument(
    `the name of a token must have 1 to ${maxNameLength} characters, got ${length}`,
  )
}

/**
 * Creates the table for `ApiTokens`, in a migration: `await createApiTokensTable(schema)`. Its `down` is
 * `schema.dropTable('api_tokens')`.
 */
export async function createApiTokensTable(schema: Schema): Promise<void> {
  await schema.createTable('api_tokens', (table) => {
    secretColumns(table)
    table.text('name', { length: 100 })
    // Separated by spaces.
    table.text('scopes', { length: 1000 })
    table.bigint('expires')
    table.bigint('created_at')
    table.bigint('used').nullable()
    table.index(['user_id'])
    table.index(['expires'])
  })
}
