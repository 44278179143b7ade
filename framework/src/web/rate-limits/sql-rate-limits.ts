import { randomInt } from 'node:crypto'
import { ConfigurationError } from '../../base/errors.ts'
import { DatabaseError } from '../../data/database/database-error.ts'
import type { DatabaseFailure } from '../../data/database/database-error.ts'
import type { Result } from '../../data/database/operation.ts'
import type { Surface } from '../../data/database/surface.ts'
import { sql } from '../../data/sql/plan/statement.ts'
import { ExpiringTable } from '../../data/tables/expiring-table.ts'
import { retryOnDeadlock } from '../../data/tables/retry-on-deadlock.ts'
import { CountStatement } from './count-statement.ts'
import { verdictOf } from './counter.ts'
import { Fallback } from './fallback.ts'
import type { FallbackOptions } from './fallback.ts'
import { GatheredStatements } from './gathered-statements.ts'
import { Refusals } from './refusals.ts'
import type { RateAlgorithms, RateLimitStore, RateRule, RateVerdict } from './rate-limit-store.ts'

/** Where the counters are. */
export interface SqlRateLimitsOptions extends FallbackOptions {
  /** `rate_limits` unless given; `createRateLimitsTable` makes it. */
  readonly table?: string
}

/** Hits of one process between two sweeps of a slice. */
const sweepInterval = 100

/** Digests are spread evenly, so that those with the same beginning are a slice of the table. */
const slices = 256

/** Failures that are no outage: the table is missing, or another than ours. */
const aboutTable: ReadonlySet<DatabaseFailure> = new Set([
  'E_STATEMENT',
  'E_CHECK',
  'E_NOT_NULL',
  'E_VALUE',
])

/**
 * Counters in a table of the database, shared by all workers. While the database does not answer each
 * process counts for itself.
 */
export class SqlRateLimits implements RateLimitStore {
  readonly #database: Surface
  /** What counts; servers gather the commits of their clients themselves. */
  readonly #counting: Pick<Surface, 'run'>
  readonly #table: string
  readonly #rows: ExpiringTable
  readonly #statements: Readonly<Record<RateAlgorithms, CountStatement>>
  readonly #refusals = new Refusals((...hit) => this.#count(...hit))
  readonly #store: RateLimitStore
  #hits = 0
  // Processes that start together do not sweep the same.
  #slice = randomInt(slices)

  constructor(database: Surface, { table = 'rate_limits', ...options }: SqlRateLimitsOptions = {}) {
    this.#database = database
    this.#counting = database.kind === 'sync' ? new GatheredStatements(database) : database
    this.#table = table
    this.#rows = new ExpiringTable(database, table, 'digest')
    this.#statements = {
      fixed: new CountStatement(table, 'fixed', database.dialect),
      sliding: new CountStatement(table, 'sliding', database.dialect),
    }
    this.#store = new Fallback(this.#refusals, options)
  }

  /** @throws ConfigurationError when there is no such table. */
  hit(digest: string, rule: RateRule, now: number): RateVerdict | Promise<RateVerdict> {
    this.#hits += 1
    if (this.#hits % sweepInterval === 0) this.#sweepNext(now)
    // Not through the fallback: what is remembered does not say that the database answers again.
    return this.#refusals.remembered(digest, now) ?? this.#store.hit(digest, rule, now)
  }

  /** Drops the counters that are over; the number of them. */
  async sweep(now: number = Date.now() / 1000): Promise<number> {
    let dropped = 0
    for (let slice = 0; slice < slices; slice += 1) dropped += await this.#sweep(slice, now)
    return dropped
  }

  // What is left over counts for nothing, so nobody has to hear when a sweep fails.
  #sweepNext(now: number): void {
    this.#sweep(this.#slice, now).catch(() => {})
    this.#slice = (this.#slice + 1) % slices
  }

  // Slice by slice no hit waits long, and no index on the time has to be kept for it.
  #sweep(slice: number, now: number): Promise<number> {
    return this.#rows.drop(
      sql`digest >= ${beginning(slice)} AND digest < ${beginning(slice + 1)} AND ends <= ${now}`,
    )
  }

  async #count(digest: string, rule: RateRule, now: number): Promise<RateVerdict> {
    const query = this.#statements[rule.algorithm].query(digest, rule, now)
    try {
      const result = await retryOnDeadlock(this.#database, () => this.#counting.run(query))
      return verdictIn(result, rule, now)
    } catch (error) {
      const isMisshapen = error instanceof DatabaseError && aboutTable.has(error.code)
      throw isMisshapen ? this.#misshapen(error) : error
    }
  }

  #misshapen(cause: DatabaseError): ConfigurationError {
    return new ConfigurationError(
      'E_RATE_LIMIT',
      `the table ${this.#table} of rate limits is missing or not as createRateLimitsTable(schema) makes it; ` +
        'add a migration that calls it and run framework migrate',
      { cause },
    )
  }
}

function verdictIn({ rows: [row] }: Result, rule: RateRule, now: number): RateVerdict {
  const [hits, earlier, ends, allowed]: readonly unknown[] = Array.isArray(row) ? row : []
  const counter = {
    hits: Number(hits),
    earlier: Number(earlier),
    ends: Number(ends),
    allowed: Number(allowed) === 1,
  }
  return verdictOf(counter, rule, now)
}

/** The first digits of the digests in a slice; those of no digest behind the last one. */
function beginning(slice: number): string {
  return slice === slices ? 'g' : slice.toString(16).padStart(2, '0')
}
