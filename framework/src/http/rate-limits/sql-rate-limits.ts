import { randomInt } from 'node:crypto'
import { ConfigurationError } from '../../base/errors.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { DatabaseFailure } from '../../database/database-error.ts'
import type { Result } from '../../database/operation.ts'
import type { Surface } from '../../database/surface.ts'
import { Slot, sql, StatementTemplate } from '../../database/sql/plan/statement.ts'
import type { Query, Statement } from '../../database/sql/plan/statement.ts'
import { ExpiringTable } from '../../database/expiring-table.ts'
import { retryOnDeadlock } from '../../database/transaction-options.ts'
import type { Schema } from '../../migrations/schema.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { upsertStatement } from '../../database/upsert-statement.ts'
import { resultOf } from './counter.ts'
import { RateAlgorithms } from './rate-limit-store.ts'
import type { RateRule, RateLimitResult } from './rate-limit-store.ts'
import { SharedRateLimits } from './shared-rate-limits.ts'
import type { SharedRateLimitsOptions } from './shared-rate-limits.ts'

/** Options of `SqlRateLimits`. */
export interface SqlRateLimitsOptions extends SharedRateLimitsOptions {
  /** Created by `createRateLimitsTable`. @default 'rate_limits' */
  readonly table?: string
}

/** Hits of one process between the sweeps of two slices. */
const sweepInterval = 100

/** A slice is all digests with the same first two digits; digests are evenly distributed. */
const slices = 256

/** Errors that mean a missing or different table rather than an outage. */
const tableErrors: ReadonlySet<DatabaseFailure> = new Set([
  'E_STATEMENT',
  'E_CHECK',
  'E_NOT_NULL',
  'E_VALUE',
])

/**
 * Counters in a table of the database, shared by all workers. While the database is unreachable, each
 * process counts for itself.
 */
export class SqlRateLimits extends SharedRateLimits {
  readonly #database: Surface
  /** Batches statements on a synchronous database; servers group commits themselves. */
  readonly #counting: Pick<Surface, 'run'>
  readonly #table: string
  readonly #rows: ExpiringTable
  readonly #statements: Readonly<Record<RateAlgorithms, StatementTemplate>>
  readonly #release: StatementTemplate
  #hits = 0
  // Random, so that processes started together do not sweep the same slice.
  #slice = randomInt(slices)

  constructor(database: Surface, { table = 'rate_limits', ...options }: SqlRateLimitsOptions = {}) {
    super(options)
    this.#database = database
    this.#counting = database.kind === 'sync' ? new BatchedStatements(database) : database
    this.#table = table
    this.#rows = new ExpiringTable(database, table, 'digest')
    this.#statements = {
      fixed: countStatement(table, fixedChanges(table), database.dialect),
      sliding: countStatement(table, slidingChanges(table), database.dialect),
    }
    this.#release = releaseStatement(table, database.dialect)
  }

  /** @throws ConfigurationError if the table does not exist. */
  override hit(
    digest: string,
    rule: RateRule,
    now: number,
  ): RateLimitResult | Promise<RateLimitResult> {
    this.#hits += 1
    if (this.#hits % sweepInterval === 0) {
      // A failure is ignored: expired counters have no effect.
      this.#sweep(this.#slice, now).catch(() => {})
      this.#slice = (this.#slice + 1) % slices
    }
    return super.hit(digest, rule, now)
  }

  /** Drops expired counters and returns how many. */
  async sweep(now: number = epochSeconds()): Promise<number> {
    let dropped = 0
    for (let slice = 0; slice < slices; slice += 1) dropped += await this.#sweep(slice, now)
    return dropped
  }

  // In slices, so that no hit waits long, and by the primary key, so that no index on `ends` is needed.
  #sweep(slice: number, now: number): Promise<number> {
    return this.#rows.drop(
      sql`digest >= ${firstDigits(slice)} AND digest < ${firstDigits(slice + 1)} AND ends <= ${now}`,
    )
  }

  protected override uncount(digest: string, now: number): Promise<unknown> {
    return this.#run(this.#release.query({ digest, now }))
  }

  protected override async count(
    digest: string,
    rule: RateRule,
    now: number,
  ): Promise<RateLimitResult> {
    const { limit, window, algorithm } = rule
    const turn = now + window
    const fresh = algorithm === RateAlgorithms.Fixed ? turn : turn + window
    const query = this.#statements[algorithm].query({ digest, limit, window, now, turn, fresh })
    try {
      return resultIn(await this.#run(query), rule, now)
    } catch (error) {
      const isAboutTable = error instanceof DatabaseError && tableErrors.has(error.code)
      if (!isAboutTable) throw error
      throw new ConfigurationError(
        'E_RATE_LIMIT',
        `the rate limit table ${this.#table} is missing or was not created by createRateLimitsTable(schema); ` +
          'call that in a migration and run framework migrate',
        { cause: error },
      )
    }
  }

  #run(query: Query): Promise<Result> {
    return retryOnDeadlock(this.#database, () => this.#counting.run(query))
  }
}

function resultIn({ rows: [row] }: Result, rule: RateRule, now: number): RateLimitResult {
  const [hits, earlier, ends, allowed]: readonly unknown[] = Array.isArray(row) ? row : []
  const counter = {
    hits: Number(hits),
    earlier: Number(earlier),
    ends: Number(ends),
    allowed: Number(allowed) === 1,
  }
  return resultOf(counter, rule, now)
}

/** The first digits of the digests in a slice; after the last slice a text above every digest. */
function firstDigits(slice: number): string {
  return slice === slices ? 'g' : slice.toString(16).padStart(2, '0')
}

type Changes = Readonly<Record<string, Statement>>

/** The values of one hit. */
const slot = {
  digest: new Slot('digest'),
  limit: new Slot('limit'),
  window: new Slot('window'),
  now: new Slot('now'),
  /** A counter that ends later is in its first window. */
  turn: new Slot('turn'),
  /** When a counter ends that begins now. */
  fresh: new Slot('fresh'),
}

/**
 * Counts a hit and returns the counter in one atomic statement: the arithmetic of `counter.ts` in SQL. Its row is
 * an array: hits, earlier, ends, allowed. It is compiled once per table, since every hit needs it.
 */
function countStatement(table: string, changes: Changes, dialect: Dialect): StatementTemplate {
  const statement = upsertStatement(
    {
      table: sql.name(table),
      key: ['digest'],
      row: {
        digest: slot.digest,
        hits: sql`1`,
        earlier: sql`0`,
        ends: slot.fresh,
        allowed: sql`1`,
      },
      changes,
      returning: ['hits', 'earlier', 'ends', 'allowed'],
    },
    dialect,
  )
  return new StatementTemplate(statement, dialect, { raw: true })
}

/** Takes back one hit of a window that is not over. */
function releaseStatement(table: string, dialect: Dialect): StatementTemplate {
  const statement = sql`UPDATE ${sql.name(table)} SET hits = hits - 1
    WHERE digest = ${slot.digest} AND hits > 0 AND ends > ${slot.now}`
  return new StatementTemplate(statement, dialect)
}

// Databases differ in whether an assignment sees the columns assigned before it: the order below gives
// the same result either way.

function fixedChanges(table: string): Changes {
  const [hits, ends] = [sql.name(table, 'hits'), sql.name(table, 'ends')]
  const isOver = sql`${ends} <= ${slot.now}`
  const hasRoom = sql`${hits} < ${slot.limit}`
  return {
    allowed: sql`CASE WHEN ${isOver} OR ${hasRoom} THEN 1 ELSE 0 END`,
    hits: sql`CASE WHEN ${isOver} THEN 1 WHEN ${hasRoom} THEN ${hits} + 1 ELSE ${hits} END`,
    ends: sql`CASE WHEN ${isOver} THEN ${slot.fresh} ELSE ${ends} END`,
  }
}

function slidingChanges(table: string): Changes {
  const [hits, ends] = [sql.name(table, 'hits'), sql.name(table, 'ends')]
  const earlier = sql.name(table, 'earlier')
  const isOver = sql`${ends} <= ${slot.now}`
  const isTurning = sql`${ends} <= ${slot.turn}`
  const used = sql`CASE WHEN ${isTurning} THEN ${hits} * ((${ends} - ${slot.now}) / ${slot.window})
    ELSE ${earlier} * ((${ends} - ${slot.window} - ${slot.now}) / ${slot.window}) + ${hits} END`
  const allowed = sql`CASE WHEN ${isOver} OR ${used} < ${slot.limit} THEN 1 ELSE 0 END`
  return {
    allowed,
    earlier: sql`CASE WHEN ${isOver} THEN 0 WHEN ${isTurning} THEN ${hits} ELSE ${earlier} END`,
    hits: sql`CASE WHEN ${isTurning} THEN 0 ELSE ${hits} END + ${allowed}`,
    ends: sql`CASE WHEN ${isOver} THEN ${slot.fresh} WHEN ${isTurning} THEN ${ends} + ${slot.window} ELSE ${ends} END`,
  }
}

interface Waiting {
  readonly query: Query
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs the statements of one turn of the event loop in one transaction. On a synchronous database most
 * of the cost of a write is the commit, so a batch is cheaper. If one fails, all fail.
 */
export class BatchedStatements {
  readonly #database: Surface
  #waiting: Waiting[] = []

  constructor(database: Surface) {
    this.#database = database
  }

  run(query: Query): Promise<Result> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#send())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ query, resolve, reject })
    })
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const results = await this.#results(waiting.map(({ query }) => query))
      for (const [at, result] of results.entries()) waiting[at]?.resolve(result)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async #results(queries: readonly Query[]): Promise<readonly Result[]> {
    const [only, another] = queries
    if (only !== undefined && another === undefined) return [await this.#database.run(only)]
    return this.#database.transaction((transaction) =>
      queries.map((query) => transaction.dispatch(query).result),
    )
  }
}

/**
 * Creates the table of `SqlRateLimits` in a migration: `await createRateLimitsTable(schema)`. The
 * matching `down` is `schema.dropTable('rate_limits')`.
 */
export async function createRateLimitsTable(
  schema: Schema,
  name: string = 'rate_limits',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.char('digest', 64)
    table.integer('hits')
    table.integer('earlier')
    // Epoch seconds with fractions: a window starts at its first hit, not at a full second.
    table.float('ends')
    // Whether the last hit was allowed; the statement that counts it returns this.
    table.integer('allowed')
    // No other index: it would have to be updated with every hit.
    table.primary(['digest'])
  })
}
