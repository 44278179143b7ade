import { Statement } from './statement.ts'

/** A constant piece of SQL as a statement. It must never contain user input. */
export function fixedSql(words: string): Statement {
  return new Statement([words], [])
}
