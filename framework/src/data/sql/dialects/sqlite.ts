import { sql } from '../plan/statement.ts'
import type { Dialect } from './dialect.ts'
import { doubleQuoted as quote } from './quote-identifier.ts'
import { QuotedColumns } from './quoted-columns.ts'
import { sqliteSchema } from './sqlite-schema.ts'
import { sqliteValues } from './sqlite-values.ts'
import { standardClauses } from './standard-clauses.ts'

/** SQLite, from the version that Node.js brings along. */
export const sqlite: Dialect = {
  ...standardClauses,
  name: 'sqlite',
  quote,
  placeholder: () => '?',
  columns: new QuotedColumns(quote),
  values: sqliteValues,
  schema: sqliteSchema,
  maxParameters: 32_766,

  // One statement is one write transaction: there is no moment between looking and taking.
  claim: (runner, { table, pick, changes, returning }) =>
    runner.rows(sql`UPDATE ${table} SET ${changes} WHERE id IN (${pick})
      RETURNING id, ${sql.list(returning.map((column) => sql.name(column)))}`),

  // A transaction that writes has the whole database for itself.
  locks: { update: '', share: '' },
  noLimit: ' LIMIT -1',
  like: (column, place) => `${column} LIKE ${place}`,
  escapeByBackslash: ` ESCAPE '\\'`,
  comparand: (place) => place,

  // It has row values, but searches by their first column alone where the next is the rowid, as most
  // keys are, and then walks over all rows that are equal in the first.
  seeksByRows: false,
  splitsAlternatives: false,
  mergesUnions: true,
  estimate: null,

  hidesFailedCommit: false,
}
