import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Condition, Either, Matching, Related, RelatedBridge } from '../plan/condition.ts'
import type { Statement } from '../plan/statement.ts'
import { bindable } from '../values/bindable.ts'
import { Matches } from '../plan/operators.ts'
import type { Draft } from './draft.ts'
import { never, writeComparison } from './write-comparison.ts'

/** ` WHERE …`, or '' when there is no condition. */
export function whereClause(conditions: readonly Condition[], draft: Draft): string {
  return where(writeConditions(conditions, draft))
}

/** The same for conditions that were written. */
export function where(conditions: string): string {
  return conditions === '' ? '' : ` WHERE ${conditions}`
}

/**
 * Conditions joined by AND; '' without any.
 * @throws InvalidArgumentException for an invalid value.
 */
export function writeConditions(conditions: readonly Condition[], draft: Draft): string {
  let sql = ''
  for (const condition of conditions) {
    const written = writeCondition(condition, draft)
    sql = sql === '' ? written : both(sql, written, draft)
  }
  return sql
}

// Longer ones differ too often to be kept, as with the number of values in a list.
const maxKept = 200

/** The same string for the same conditions: see `Texts`. */
function both(one: string, other: string, { dialect }: Draft): string {
  if (one.length + other.length > maxKept) return `${one} AND ${other}`
  const texts = dialect.texts.with(whereClause).with(one).with(other)
  return (texts.text ??= `${one} AND ${other}`)
}

function writeCondition(condition: Condition, draft: Draft): string {
  if (condition.type === 'comparison') return writeComparison(condition, draft)
  if (condition.type === 'matching') return writeMatching(condition, draft)
  if (condition.type === 'either') return writeEither(condition, draft)
  if (condition.type === 'related') return writeRelated(condition, draft)
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

/**
 * A text column compared with a pattern, ignoring the case of ASCII letters. For other letters it
 * depends on the database: its collation, its locale or Unicode.
 * @throws InvalidArgumentException when the column or the pattern is not text.
 */
function writeMatching({ column, match, text }: Matching, draft: Draft): string {
  const { dialect } = draft
  if (column.kind !== 'text') {
    throw invalidMatch(column.name, `it needs a text column, this one is ${column.kind}`)
  }
  const bound = bindable({ ...column, isNullable: false }, text, dialect)
  const place = draft.bind(patternOf(column.name, match, String(bound)))
  // In a user's own pattern the backslash escapes, which some databases must be told.
  const escape = match === Matches.Like ? dialect.escapeByBackslash : ` ESCAPE '!'`
  const name = draft.name(column)
  return dialect.like(name, place) + escape
}

function patternOf(name: string, match: Matches, text: string): string {
  switch (match) {
    case Matches.Like:
      refuseDangling(name, text)
      return text
    case Matches.Contains:
      return `%${literal(text)}%`
    case Matches.StartsWith:
      return `${literal(text)}%`
    case Matches.EndsWith:
      return `%${literal(text)}`
    default:
      throw invalidMatch(name, `it is none of ${Object.values(Matches).join(', ')}`)
  }
}

// Unlike the backslash, ! needs no escaping in the strings of any database.
function literal(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}

// Some databases reject such a pattern, others match it in various ways.
function refuseDangling(name: string, pattern: string): void {
  let kept = pattern.length
  while (pattern.charAt(kept - 1) === '\\') kept -= 1
  if ((pattern.length - kept) % 2 === 0) return
  throw invalidMatch(name, 'its pattern ends with a backslash that escapes nothing; double it')
}

function invalidMatch(name: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_COLUMN_VALUE', `a match on ${name} is invalid: ${reason}`)
}

// Only the columns that connect the tables are qualified: any other name means the innermost table, also
// in custom SQL.
function writeRelated(related: Related, draft: Draft): string {
  const { exists, from, bridge } = related
  const value = `${draft.scope}.${draft.name(from)}`
  const sql =
    bridge === null
      ? relatedRows(related, value, draft)
      : bridgedRows(related, bridge, value, draft)
  return exists ? sql : `NOT ${sql}`
}

function relatedRows({ table, owner, conditions }: Related, value: string, draft: Draft): string {
  return draft.within(table, (source) => {
    const others = writeConditions(conditions, draft)
    const isOwned = `${draft.scope}.${draft.name(owner)} = ${value}`
    return `EXISTS (SELECT 1 FROM ${source} WHERE ${isOwned}${others === '' ? '' : ` AND ${others}`})`
  })
}

function bridgedRows(related: Related, bridge: RelatedBridge, value: string, draft: Draft): string {
  const { quote } = draft.dialect
  return draft.within(bridge.through, (source) => {
    const target = relatedRows(related, `${draft.scope}.${quote(bridge.target)}`, draft)
    const isOwned = `${draft.scope}.${quote(bridge.source)} = ${value}`
    return `EXISTS (SELECT 1 FROM ${source} WHERE ${isOwned} AND ${target})`
  })
}
