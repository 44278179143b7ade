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
