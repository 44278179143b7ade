import type { Notation } from './notation.ts'
import type { StatementRunner } from './statement-runner.ts'

/** A table, a view or the like, as a catalog tells it. */
type Found = Readonly<Record<string, unknown>>

/**
 * Drops what a catalog listed by `name` and `kind`. What is gone already is passed over: one may have
 * taken others along, such as a view what stands on it.
 */
export async function dropAll(
  runner: StatementRunner,
  quote: Notation['quote'],
  found: readonly Found[],
  kindOf: (kind: string) => string,
  ending = '',
): Promise<void> {
  for (const { name, kind } of found) {
    const statement = `DROP ${kindOf(String(kind))} IF EXISTS ${quote(String(name))}${ending}`
    await runner.run({ sql: statement, parameters: [] })
  }
}

/** The column `name` of rows. */
export function namesIn(rows: readonly Found[]): string[] {
  return rows.map(({ name }) => String(name))
}
