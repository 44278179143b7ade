import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { Slot, StatementTemplate } from '../../database/statement-template.ts'
import { upsertStatement } from '../../database/upsert-statement.ts'
import { RateAlgorithms } from './rate-limit-store.ts'
import type { RateRule } from './rate-limit-store.ts'

const [digest, limit, window] = [new Slot('digest'), new Slot('limit'), new Slot('window')]
// A counter that ends later than `turn` is in its first window; one that begins now ends at `fresh`.
const [now, turn, fresh] = [new Slot('now'), new Slot('turn'), new Slot('fresh')]

/**
 * Counts a hit and returns the counter in one atomic statement: the arithmetic of `counter.ts` in SQL.
 * It is compiled once per table, since every hit needs it.
 */
export class CountStatement {
  readonly #template: StatementTemplate
  readonly #windows: number

  constructor(table: string, algorithm: RateAlgorithms, dialect: Dialect) {
    const isFixed = algorithm === RateAlgorithms.Fixed
    const changes = isFixed ? fixedChanges(table) : slidingChanges(table)
    const statement = insertion(table, changes, dialect)
    this.#template = new StatementTemplate(statement, dialect, { raw: true })
    this.#windows = isFixed ? 1 : 2
  }

  /** The statement for one hit. Its row is an array: hits, earlier, ends, allowed. */
  query(digest: string, { limit, window }: RateRule, now: number): Query {
    const fresh = now + this.#windows * window
    return this.#template.query({ digest, limit, window, now, turn: now + window, fresh })
  }
}

/** Takes back one hit of a window that is not over. */
export function releaseStatement(table: string, dialect: Dialect): StatementTemplate {
  const statement = sql`UPDATE ${sql.name(table)} SET hits = hits - 1
    WHERE digest = ${digest} AND hits > 0 AND ends > ${now}`
  return new StatementTemplate(statement, dialect)
}

function insertion(table: string, changes: Changes, dialect: Dialect): Statement {
  return upsertStatement(
    {
      table: sql.name(table),
      key: ['digest'],
      row: { digest, hits: sql`1`, earlier: sql`0`, ends: fresh, allowed: sql`1` },
      changes,
      returning: ['hits', 'earlier', 'ends', 'allowed'],
    },
    dialect,
  )
}

type Changes = Readonly<Record<string, Statement>>

// Databases differ in whether an assignment sees the columns assigned before it: the order below gives
// the same result either way.

function fixedChanges(table: string): Changes {
  const [hits, ends] = [sql.name(table, 'hits'), sql.name(table, 'ends')]
  const isOver = sql`${ends} <= ${now}`
  const hasRoom = sql`${hits} < ${limit}`
  return {
    allowed: sql`CASE WHEN ${isOver} OR ${hasRoom} THEN 1 ELSE 0 END`,
    hits: sql`CASE WHEN ${isOver} THEN 1 WHEN ${hasRoom} THEN ${hits} + 1 ELSE ${hits} END`,
    ends: sql`CASE WHEN ${isOver} THEN ${fresh} ELSE ${ends} END`,
  }
}

function slidingChanges(table: string): Changes {
  const [hits, ends] = [sql.name(table, 'hits'), sql.name(table, 'ends')]
  const earlier = sql.name(table, 'earlier')
  const isOver = sql`${ends} <= ${now}`
  const isTurning = sql`${ends} <= ${turn}`
  const used = sql`CASE WHEN ${isTurning} THEN ${hits} * ((${ends} - ${now}) / ${window})
    ELSE ${earlier} * ((${ends} - ${window} - ${now}) / ${window}) + ${hits} END`
  const allowed = sql`CASE WHEN ${isOver} OR ${used} < ${limit} THEN 1 ELSE 0 END`
  return {
    allowed,
    earlier: sql`CASE WHEN ${isOver} THEN 0 WHEN ${isTurning} THEN ${hits} ELSE ${earlier} END`,
    hits: sql`CASE WHEN ${isTurning} THEN 0 ELSE ${hits} END + ${allowed}`,
    ends: sql`CASE WHEN ${isOver} THEN ${fresh} WHEN ${isTurning} THEN ${ends} + ${window} ELSE ${ends} END`,
  }
}
