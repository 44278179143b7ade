import { InvalidArgumentException } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { Matching } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Draft } from './draft.ts'
import { Matches } from '../plan/operators.ts'

/**
 * A text column compared with a pattern, ignoring the case of ASCII letters. For other letters it
 * depends on the database: its collation, its locale or Unicode.
 * @throws InvalidArgumentException when the column or the pattern is not text.
 */
export function writeMatching({ column, match, text }: Matching, draft: Draft): string {
  const { dialect } = draft
  if (column.kind !== 'text') {
    throw invalidMatch(column.name, `it needs a text column, this one is ${column.kind}`)
  }
  const bound = bindable({ ...column, isNullable: false }, text, dialect)
  const place = draft.bind(patternOf(column.name, match, String(bound)))
  const escape = escapeClause(match, dialect)
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

// In a user's own pattern the backslash escapes, which some databases must be told.
function escapeClause(match: Matches, dialect: Dialect): string {
  if (match !== Matches.Like) return ` ESCAPE '!'`
  return dialect.escapeByBackslash
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
