import { DatabaseError } from '../../data/database/database-error.ts'
import type { Result } from '../../data/database/operation.ts'
import type { Surface } from '../../data/database/surface.ts'
import { untilSettled } from '../../data/database/until-settled.ts'
import { Dialects } from '../../data/sql/dialects/dialect.ts'
import { sql } from '../../data/sql/plan/statement.ts'
import type { Statement } from '../../data/sql/plan/statement.ts'
import { wholeNumber } from '../../services/cache/cache-store.ts'
import type { CacheStore } from '../../services/cache/cache-store.ts'

/** Where the rows are, and when. */
export interface SqlCacheOptions {
  /** `cache` unless given; `createCacheTable` makes it. */
  readonly table?: string
  /** Epoch seconds. */
  readonly clock?: () => number
  /** Chance, from 0 up to 1. */
  readonly random?: () => number
}

/** Rows that one statement of a sweep drops at most, so that no other waits long for it. */
const sweepBatch = 1000

/** How many writes there are for each that sweeps. */
const writesPerSweep = 1000

/** Failures that say nothing of the statement, only of the database at this moment. */
const passing: ReadonlySet<string> = new Set([
  'E_CONNECTION_LOST',
  'E_DATABASE_BUSY',
  'E_DEADLOCK',
  'E_POOL_TIMEOUT',
  'E_STATEMENT_TIMEOUT',
])

/** A cache in a table of SQLite, PostgreSQL or MariaDB, shared by all workers. */
export class SqlCache implements CacheStore {
  readonly #surface: Surface
  readonly #table: unknown
  readonly #clock: () => number
  readonly #random: () => number

  constructor(surface: Surface, options: SqlCacheOptions = {}) {
    this.#surface = surface
    this.#table = sql.name(options.table ?? 'cache')
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    this.#random = options.random ?? Math.random
  }

  async get(key: string): Promise<string | null> {
    const [row] = await this.#surface.rows(sql`SELECT body, counter FROM ${this.#table}
      WHERE name = ${key} AND expires_ms > ${this.#nowMs()}`)
    if (row === undefined) return null
    return String(row['body'] ?? row['counter'])
  }

  async set(key: string, text: string, ttl: number): Promise<void> {
    const counter = wholeNumber(text)
    const body = counter === null ? text : null
    await this.#run(sql`${this.#insertion(key, body, counter, ttl)} ${this.#instead()}
      body = ${this.#given('body')}, counter = ${this.#given('counter')},
      expires_ms = ${this.#given('expires_ms')}`)
    if (this.#random() * writesPerSweep < 1) await this.#sweepBatch()
  }

  async increment(key: string, by: number, ttl: number): Promise<number | null> {
    const counter = sql`${this.#kept('counter')} + ${by}`
    // MariaDB assigns one after the other, so the time comes last: the others look at the old one.
    const { rows } = await this.#run(sql`${this.#insertion(key, null, by, ttl)} ${this.#instead()}
      counter = ${this.#unlessOver(counter, this.#given('counter'))},
      body = ${this.#unlessOver(this.#kept('body'), sql`NULL`)},
      expires_ms = ${this.#unlessOver(this.#kept('expires_ms'), this.#given('expires_ms'))}
      RETURNING counter`)
    return counterOf(rows)
  }

  async delete(key: string): Promise<void> {
    await this.#run(sql`DELETE FROM ${this.#table} WHERE name = ${key}`)
  }

  isAway(error: unknown): boolean {
    return error instanceof DatabaseError && passing.has(error.code)
  }

  /** Drops every row whose time is over and resolves with how many there were. */
  async sweep(): Promise<number> {
    let dropped = 0
    for (;;) {
      const batch = await this.#sweepBatch()
      dropped += batch
      if (batch < sweepBatch) return dropped
    }
  }

  async #sweepBatch(): Promise<number> {
    const over = sql`FROM ${this.#table} WHERE expires_ms <= ${this.#nowMs()}`
    // Asked twice: a row that is written anew between the two must stay.
    const statement =
      this.#surface.dialect.name === Dialects.MariaDB
        ? sql`DELETE ${over} LIMIT ${sweepBatch}`
        : sql`DELETE ${over} AND name IN (SELECT name ${over} LIMIT ${sweepBatch})`
    return (await this.#run(statement)).affected
  }

  #insertion(key: string, body: string | null, counter: number | null, ttl: number): Statement {
    return sql`INSERT INTO ${this.#table} (name, body, counter, expires_ms)
      VALUES (${key}, ${body}, ${counter}, ${this.#nowMs() + ttl * 1000})`
  }

  #instead(): Statement {
    const isMariadb = this.#surface.dialect.name === Dialects.MariaDB
    return isMariadb ? sql`ON DUPLICATE KEY UPDATE` : sql`ON CONFLICT (name) DO UPDATE SET`
  }

  /** One value for a row that is there, another for one whose time is over. */
  #unlessOver(value: Statement, otherwise: Statement): Statement {
    const isOver = sql`${this.#kept('expires_ms')} <= ${this.#nowMs()}`
    return sql`CASE WHEN ${isOver} THEN ${otherwise} ELSE ${value} END`
  }

  /** The value that the row has. */
  #kept(column: string): Statement {
    return sql`${this.#table}.${sql.name(column)}`
  }

  /** The value that was to be inserted. */
  #given(column: string): Statement {
    const isMariadb = this.#surface.dialect.name === Dialects.MariaDB
    return isMariadb ? sql`VALUES(${sql.name(column)})` : sql`excluded.${sql.name(column)}`
  }

  #nowMs(): number {
    return Math.floor(this.#clock() * 1000)
  }

  #run(statement: Statement): Promise<Result> {
    return untilSettled(this.#surface, () => this.#surface.run(statement))
  }
}

function counterOf([row]: readonly unknown[]): number | null {
  if (typeof row !== 'object' || row === null || !('counter' in row)) return null
  return row.counter === null ? null : Number(row.counter)
}
