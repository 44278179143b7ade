import type { ColumnDefinition } from '../plan/column-reference.ts'
import type { Notation } from './notation.ts'
import type { StatementRunner } from './statement-runner.ts'

/** A table, view or the like, as listed in a catalog. */
type CatalogEntry = Readonly<Record<string, unknown>>

/**
 * Drops the listed tables and views by `name` and `kind`. Skips those already gone: dropping one
 * may have dropped others that depend on it.
 */
export async function dropAll(
  runner: StatementRunner,
  quote: Notation['quote'],
  found: readonly CatalogEntry[],
  kindOf: (kind: string) => string,
  ending = '',
): Promise<void> {
  for (const { name, kind } of found) {
    const statement = `DROP ${kindOf(String(kind))} IF EXISTS ${quote(String(name))}${ending}`
    await runner.run({ sql: statement, parameters: [] })
  }
}

/** The column `name` of rows. */
export function namesIn(rows: readonly CatalogEntry[]): string[] {
  return rows.map(({ name }) => String(name))
}

/** The type of a text with a length; null without one. */
export function limitedText({ length, isFixed }: ColumnDefinition): string | null {
  if (length === null) return null
  return isFixed ? `CHAR(${length})` : `VARCHAR(${length})`
}

/** The CHECK that a column has one of the texts of its enumeration; takes its quoted name. */
export function membersCheck(
  { members = [] }: ColumnDefinition,
  name: string,
  literal: (text: string) => string,
): string {
  return `${name} IN (${members.map(literal).join(', ')})`
}

/** The number of characters of the longest text of an enumeration. */
export function memberLength({ members = [] }: ColumnDefinition): number {
  return members.reduce((length, member) => Math.max(length, Array.from(member).length), 1)
}
