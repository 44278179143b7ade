import type { ColumnKind } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import type { Dialect, ListedValues } from './dialect.ts'
import { jsonList } from './json-list.ts'
import { doubleQuoted as quote } from './quote-identifier.ts'
import { QuotedColumns } from './quoted-columns.ts'
import { sqliteExplain, sqliteReadsWhole } from './sqlite-explain.ts'
import { sqliteSchema } from './sqlite-schema.ts'
import { sqliteValues } from './sqlite-values.ts'
import { standardClauses } from './standard-clauses.ts'
import { sumsOfHalves } from './sum-dialect.ts'

/** SQLite, in the version included in Node.js. */
export const sqlite: Dialect = {
  ...standardClauses,
  name: 'sqlite',
  system: 'sqlite',
  quote,
  placeholder: () => '?',
  columns: new QuotedColumns(quote),
  values: sqliteValues,
  schema: sqliteSchema,
  maxParameters: 32_766,

  // One statement is one write transaction, so nothing can happen between the search and the
  // update.
  claim: (runner, { table, pick, changes, returning }) =>
    runner.rows(sql`UPDATE ${table} SET ${changes} WHERE id IN (${pick})
      RETURNING id, ${sql.list(returning.map((column) => sql.name(column)))}`),

  // A write transaction locks the whole database.
  locks: { update: '', 'no-key-update': '', share: '', 'key-share': '', skip: '', fail: '' },
  sums: sumsOfHalves,
  noLimit: ' LIMIT -1',
  like: (column, place) => `${column} LIKE ${place}`,
  escapeByBackslash: ` ESCAPE '\\'`,
  comparand: (place) => place,
  maxPlaces: 8_000,
  listed: ({ kind }) => (listable.has(kind) ? listedValues : null),
  // Decimals are doubles here, and 0.1 + 0.2 is not 0.3 before it is rounded to the digits of the
  // column.
  plus: (name, place, { kind, scale }) =>
    kind === 'decimal' ? `round(${name} + ${place}, ${scale})` : `${name} + ${place}`,

  // It supports row values, but uses only the first column for the search if the next is the rowid,
  // as most keys are, and then scans all rows with an equal first column.
  seeksByRows: false,
  splitsAlternatives: false,
  mergesUnions: true,
  unionBranch: (select, columns) => `SELECT ${columns} FROM (${select})`,
  hasLateral: false,
  estimate: null,
  explain: sqliteExplain,
  preferIndexes: [],
  readsWholeTable: sqliteReadsWhole,

  hidesFailedCommit: false,
}

const listable: ReadonlySet<ColumnKind> = new Set([
  'integer',
  'safe-integer',
  'bigint',
  'text',
  'uuid',
])

const listedValues: ListedValues = {
  text: jsonList,
  condition: (name, place) => `${name} IN (SELECT value FROM json_each(${place}))`,
}
