import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { sql, Slot, StatementTemplate } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import { insertedValue, insertedValues, upsertStatement } from '../database/upsert-statement.ts'
import type { Surface } from '../database/surface.ts'
import type { Schema } from '../migrations/schema.ts'
import { wholeNumber } from './cache-store.ts'
import type { CacheStore } from './cache-store.ts'

/** Options of `SqlCache`. */
export interface SqlCacheOptions {
  /** Created by `createCacheTable`. @default 'cache' */
  readonly table?: string
  /** The current time in epoch seconds. */
  readonly clock?: () => number
  /** A random number from 0 up to 1, which decides when to sweep. */
  readonly random?: () => number
}

/** One in this many writes also sweeps. */
const writesPerSweep = 1000

// What is bound to a new row, to a sum, and to the question whether a row is over.
const row = {
  name: new Slot('key'),
  body: new Slot('body'),
  counter: new Slot('counter'),
  expires_ms: new Slot('expires'),
}
const [by, now] = [new Slot('counter'), new Slot('now')]

/** A cache in a table of the database, shared by all workers. */
export class SqlCache implements CacheStore {
  readonly #table: ExpiringTable
  readonly #clock: () => number
  readonly #random: () => number
  readonly #set: StatementTemplate
  readonly #increment: StatementTemplate

  constructor(surface: Surface, options: SqlCacheOptions = {}) {
    this.#table = new ExpiringTable(surface, options.table ?? 'cache', 'name')
    this.#clock = options.clock ?? epochSeconds
    this.#random = options.random ?? Math.random
    this.#set = settingStatement(this.#table)
    this.#increment = incrementStatement(this.#table)
  }

  async get(key: string): Promise<string | null> {
    const [found] = await this.#table.surface.rows(sql`SELECT body, counter FROM ${this.#table.name}
      WHERE name = ${key} AND expires_ms > ${this.#nowMs()}`)
    if (found === undefined) return null
    return String(found['body'] ?? found['counter'])
  }

  async set(key: string, text: string, ttl: number): Promise<void> {
    const counter = wholeNumber(text)
    const body = counter === null ? text : null
    const expires = this.#nowMs() + ttl * 1000
    await this.#table.run(this.#set.query({ key, body, counter, expires }))
    if (this.#random() * writesPerSweep < 1) await this.#table.sweepBatch(this.#isOver())
  }

  async increment(key: string, counter: number, ttl: number): Promise<number | null> {
    const nowMs = this.#nowMs()
    const expires = nowMs + ttl * 1000
    const values = { key, body: null, counter, expires, now: nowMs }
    const { rows } = await this.#table.run(this.#increment.query(values))
    return counterOf(rows)
  }

  async delete(key: string): Promise<void> {
    await this.#table.drop(sql`name = ${key}`)
  }

  /** Deletes every expired row and resolves with their number. */
  sweep(): Promise<number> {
    return this.#table.sweep(this.#isOver())
  }

  #isOver(): Statement {
    return sql`expires_ms <= ${this.#nowMs()}`
  }

  #nowMs(): number {
    return Math.floor(this.#clock() * 1000)
  }
}

/**
 * Makes the table of `SqlCache`, in a migration: `await createCacheTable(schema)`. Its `down` is
 * `schema.dropTable('cache')`.
 */
export async function createCacheTable(schema: Schema, name: string = 'cache'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.text('name', { length: 255 })
    table.primary(['name'])
    table.text('body').nullable()
    // Whole numbers have their own column, so that the database can add to them.
    table.bigint('counter').nullable()
    table.bigint('expires_ms')
    table.index(['expires_ms'])
  })
}

function settingStatement({ name, surface: { dialect } }: ExpiringTable): StatementTemplate {
  const changes = insertedValues(['body', 'counter', 'expires_ms'], dialect)
  return new StatementTemplate(
    upsertStatement({ table: name, key: ['name'], row, changes }, dialect),
    dialect,
  )
}

function incrementStatement({ name, surface: { dialect } }: ExpiringTable): StatementTemplate {
  const kept = (column: string): Statement => sql`${name}.${sql.name(column)}`
  const given = (column: string): Statement => insertedValue(column, dialect)
  // One value for a row that is there, another for one whose time is over.
  const unlessOver = (value: Statement, otherwise: Statement): Statement =>
    sql`CASE WHEN ${kept('expires_ms')} <= ${now} THEN ${otherwise} ELSE ${value} END`
  const upsert = {
    table: name,
    key: ['name'],
    row,
    // The time comes last: the others look at the old one.
    changes: {
      counter: unlessOver(sql`${kept('counter')} + ${by}`, given('counter')),
      body: unlessOver(kept('body'), sql`NULL`),
      expires_ms: unlessOver(kept('expires_ms'), given('expires_ms')),
    },
    returning: ['counter'],
  }
  return new StatementTemplate(upsertStatement(upsert, dialect), dialect)
}

function counterOf([row]: readonly unknown[]): number | null {
  if (typeof row !== 'object' || row === null || !('counter' in row)) return null
  return row.counter === null ? null : Number(row.counter)
}
