import { invalidArgument } from '../base/errors.ts'
import { statementKind } from './query-log.ts'
import type { Database } from './surface.ts'

/**
 * How a database would run a SELECT, as lines of text. The statement is only planned, never run, and
 * needs no values.
 * @throws InvalidArgumentException for anything but a single SELECT; DatabaseError if the database
 * cannot plan it.
 */
export async function explainSelect(database: Database, text: string): Promise<readonly string[]> {
  const select = text.trim().replace(/;$/, '')
  if (!isSelect(select)) {
    throw invalidArgument(
      'only a single SELECT can be explained; other statements might be run by a planner',
    )
  }
  const { dialect } = database
  // Read-only, in case a function of the project is called while planning.
  return database.transaction((transaction) => dialect.explain(transaction, select), {
    readOnly: true,
  })
}

/** Whether this is a statement that `explainSelect` accepts. */
export function isSelect(text: string): boolean {
  // A semicolon may also be part of a text, but who can tell without a parser of each dialect.
  return statementKind(text) === 'SELECT' && !/;\s*\S/.test(text)
}
