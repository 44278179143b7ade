import { InvalidArgumentException } from '../../../base/errors.ts'
import { bindable } from '../values/bindable.ts'
import type { Matching } from '../plan/condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Draft } from './draft.ts'
import { Matches } from '../plan/operators.ts'

/**
 * A text column compared with a pattern, without regard to the case of ASCII letters. Further letters
 * follow the database: it may tell their cases apart, or go by its locale or by Unicode.
 * @throws InvalidArgumentException when the column or the pattern is no text.
 */
export function writeMatching({ column, match, text }: Matching, draft: Draft): string {
  const { dialect } = draft
  if (column.kind !== 'text') {
    throw refused(column.name, `it takes a text column, this one is ${column.kind}`)
  }
  const bound = bindable({ ...column, isNullable: false }, text, dialect)
  const place = draft.place(patternOf(column.name, match, String(bound)))
  const escape = escapeClause(match, dialect)
  const name = draft.name(column)
  return dialect.like(name, place) + escape
}

function patternOf(name: string, match: Matches, text: string): string {
  // A LIKE may end at one, and would find everything.
  if (text.includes('\0')) throw refused(name, 'its text holds a NUL')
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
      throw refused(name, `it is none of ${Object.values(Matches).join(', ')}`)
  }
}

// The sign ! stands for itself in the strings of every database, unlike the backslash.
function literal(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}

// A pattern of the user's own escapes by a backslash, which some databases must be told.
function escapeClause(match: Matches, dialect: Dialect): string {
  if (match !== Matches.Like) return ` ESCAPE '!'`
  return dialect.escapeByBackslash
}

// Some databases fail on such a pattern, others match it in ways of their own.
function refuseDangling(name: string, pattern: string): void {
  let kept = pattern.length
  while (pattern.charAt(kept - 1) === '\\') kept -= 1
  if ((pattern.length - kept) % 2 === 0) return
  throw refused(name, 'its pattern ends with a backslash that escapes nothing; write it twice')
}

function refused(name: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_COLUMN_VALUE',
    `a match on ${name} cannot be used: ${reason}`,
  )
}
