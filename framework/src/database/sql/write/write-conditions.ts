import type { Condition, Either } from '../plan/condition.ts'
import type { Draft } from './draft.ts'
import type { Statement } from '../plan/statement.ts'
import { never, writeComparison } from './write-comparison.ts'
import { writeMatching } from './write-matching.ts'
import { writeRelated } from './write-related.ts'

/** ` WHERE …`, or '' when there is no condition. */
export function whereClause(conditions: readonly Condition[], draft: Draft): string {
  return conditions.length === 0 ? '' : ` WHERE ${writeConditions(conditions, draft)}`
}

/**
 * Conditions joined by AND; '' without any.
 * @throws InvalidArgumentException for an invalid value.
 */
export function writeConditions(conditions: readonly Condition[], draft: Draft): string {
  let sql = ''
  for (const condition of conditions) {
    if (sql !== '') sql += ' AND '
    sql += writeCondition(condition, draft)
  }
  return sql
}

function writeCondition(condition: Condition, draft: Draft): string {
  if (condition.type === 'comparison') return writeComparison(condition, draft)
  if (condition.type === 'matching') return writeMatching(condition, draft)
  if (condition.type === 'either') return writeEither(condition, draft)
  if (condition.type === 'related') return writeRelated(condition, draft, writeConditions)
  return writeHandwritten(condition.statement, draft)
}

function writeEither({ branches }: Either, draft: Draft): string {
  if (branches.length === 0) return never
  const written = branches.map((conditions) => {
    if (conditions.length === 0) return '1 = 1'
    const sql = writeConditions(conditions, draft)
    return conditions.length === 1 ? sql : `(${sql})`
  })
  return `(${written.join(' OR ')})`
}

function writeHandwritten(statement: Statement, { dialect, parameters }: Draft): string {
  const before = parameters.length
  const placeholder = (position: number): string => dialect.placeholder(before + position)
  const query = statement.compile({ quote: dialect.quote, placeholder })
  for (const value of query.parameters) parameters.push(value)
  return `(${query.sql})`
}
