import { DatabaseError } from '../../data/database/database-error.ts'
import type { Surface } from '../../data/database/surface.ts'
import { sql } from '../../data/sql/plan/statement.ts'
import type { Statement } from '../../data/sql/plan/statement.ts'
import { ExpiringTable } from '../../data/tables/expiring-table.ts'
import {
  insertedValue,
  insertedValues,
  upsertStatement,
} from '../../data/tables/upsert-statement.ts'
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

/** A cache in a table of the database, shared by all workers. */
export class SqlCache implements CacheStore {
  readonly #table: ExpiringTable
  readonly #clock: () => number
  readonly #random: () => number

  constructor(surface: Surface, options: SqlCacheOptions = {}) {
    this.#table = new ExpiringTable(surface, options.table ?? 'cache', 'name')
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    this.#random = options.random ?? Math.random
  }

  async get(key: string): Promise<string | null> {
    const [row] = await this.#table.surface.rows(sql`SELECT body, counter FROM ${this.#table.name}
      WHERE name = ${key} AND expires_ms > ${this.#nowMs()}`)
    if (row === undefined) return null
    return String(row['body'] ?? row['counter'])
  }

  async set(key: string, text: string, ttl: number): Promise<void> {
    const { name: table, surface } = this.#table
    const counter = wholeNumber(text)
    const row = this.#row(key, counter === null ? text : null, counter, ttl)
    const changes = insertedValues(['body', 'counter', 'expires_ms'], surface.dialect)
    await this.#table.run(upsertStatement({ table, key: ['name'], row, changes }, surface.dialect))
    if (this.#random() * writesPerSweep < 1) await this.#table.sweepBatch(this.#isOver())
  }

  async increment(key: string, by: number, ttl: number): Promise<number | null> {
    const { name: table, surface } = this.#table
    const given = (column: string): Statement => insertedValue(column, surface.dialect)
    const counter = sql`${this.#kept('counter')} + ${by}`
    const upsert = {
      table,
      key: ['name'],
      row: this.#row(key, null, by, ttl),
      // The time comes last: the others look at the old one.
      changes: {
        counter: this.#unlessOver(counter, given('counter')),
        body: this.#unlessOver(this.#kept('body'), sql`NULL`),
        expires_ms: this.#unlessOver(this.#kept('expires_ms'), given('expires_ms')),
      },
      returning: ['counter'],
    }
    const { rows } = await this.#table.run(upsertStatement(upsert, surface.dialect))
    return counterOf(rows)
  }

  async delete(key: string): Promise<void> {
    await this.#table.drop(sql`name = ${key}`)
  }

  isAway(error: unknown): boolean {
    return error instanceof DatabaseError && passing.has(error.code)
  }

  /** Drops every row whose time is over and resolves with how many there were. */
  sweep(): Promise<number> {
    return this.#table.sweep(this.#isOver())
  }

  #row(
    name: string,
    body: string | null,
    counter: number | null,
    ttl: number,
  ): Readonly<Record<string, unknown>> {
    return { name, body, counter, expires_ms: this.#nowMs() + ttl * 1000 }
  }

  #isOver(): Statement {
    return sql`expires_ms <= ${this.#nowMs()}`
  }

  /** One value for a row that is there, another for one whose time is over. */
  #unlessOver(value: Statement, otherwise: Statement): Statement {
    const isOver = sql`${this.#kept('expires_ms')} <= ${this.#nowMs()}`
    return sql`CASE WHEN ${isOver} THEN ${otherwise} ELSE ${value} END`
  }

  /** The value that the row has. */
  #kept(column: string): Statement {
    return sql`${this.#table.name}.${sql.name(column)}`
  }

  #nowMs(): number {
    return Math.floor(this.#clock() * 1000)
  }
}

function counterOf([row]: readonly unknown[]): number | null {
  if (typeof row !== 'object' || row === null || !('counter' in row)) return null
  return row.counter === null ? null : Number(row.counter)
}
