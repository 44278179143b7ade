import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import type { Dialect, ListedValues } from './dialect.ts'
import { postgresExplain, postgresReadsWhole } from './postgres-explain.ts'
import { postgresSchema } from './postgres-schema.ts'
import { postgresValues } from './postgres-values.ts'
import { doubleQuoted as quote } from './quote-identifier.ts'
import { QuotedColumns } from './quoted-columns.ts'
import { standardClauses } from './standard-clauses.ts'
import { exactSums } from './sum-dialect.ts'

/** PostgreSQL. */
export const postgres: Dialect = {
  ...standardClauses,
  name: 'postgres',
  system: 'postgresql',
  quote,
  placeholder: (position) => `$${position}`,
  columns: new QuotedColumns(quote),
  values: postgresValues,
  schema: postgresSchema,
  maxParameters: 65_535,

  // Rows locked by others are skipped instead of waited for. MATERIALIZED, since otherwise the
  // planner may repeat the search for each claimed row.
  claim: (runner, { table, pick, changes, returning }) =>
    runner.rows(sql`WITH picked AS MATERIALIZED (${pick} FOR UPDATE SKIP LOCKED)
      UPDATE ${table} AS claimed SET ${changes} FROM picked WHERE claimed.id = picked.id
      RETURNING claimed.id, ${sql.list(returning.map((column) => sql.name('claimed', column)))}`),

  locks: {
    update: ' FOR UPDATE',
    'no-key-update': ' FOR NO KEY UPDATE',
    share: ' FOR SHARE',
    'key-share': ' FOR KEY SHARE',
    skip: ' SKIP LOCKED',
    fail: ' NOWAIT',
  },
  sums: exactSums((name) => `${name}::float8`),
  noLimit: '',
  // Its own enumerations follow their declaration. For a VARCHAR this is nothing but a label: indexes
  // on the column serve it.
  orderedBy: asText,
  rankedBy: asText,
  like: (column, place) => `${column} ILIKE ${place}`,
  escapeByBackslash: '',
  // A number too large for an int4 column finds nothing, as on other databases, instead of failing.
  comparand: (place, { kind }) => (integers.has(kind) ? `${place}::int8` : place),
  // A longer one is compared value by value where no index serves it.
  maxPlaces: 1_000,
  listed: ({ kind }) =>
    integers.has(kind) ? listedIntegers : listable.has(kind) ? listedValues : null,

  seeksByRows: true,
  splitsAlternatives: false,
  mergesUnions: false,
  unionBranch: (select) => `(${select})`,
  hasLateral: true,
  estimate: { explain: 'EXPLAIN (FORMAT JSON)', read: plannedRows },
  explain: postgresExplain,
  preferIndexes: ['SET LOCAL enable_seqscan = off', 'SET LOCAL enable_sort = off'],
  readsWholeTable: postgresReadsWhole,

  hidesFailedCommit: true,
}

const integers: ReadonlySet<ColumnKind> = new Set(['integer', 'safe-integer', 'bigint'])

const listable: ReadonlySet<ColumnKind> = new Set(['text', 'uuid', 'enumeration', 'date', 'time'])

const listedIntegers: ListedValues = {
  text: (values) => `{${values.join(',')}}`,
  condition: (name, place) => `${name} = ANY(${place}::int8[])`,
}

// The list gets the type of the column.
const listedValues: ListedValues = {
  text: (values) =>
    `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`,
  condition: (name, place) => `${name} = ANY(${place})`,
}

function asText(name: string, { kind }: ColumnReference): string {
  return kind === 'enumeration' ? `${name}::text` : name
}

// One JSON document, which the driver may or may not have parsed.
function plannedRows(row: unknown): number {
  const document = part(row, 'QUERY PLAN')
  const parsed: unknown = typeof document === 'string' ? JSON.parse(document) : document
  return Number(part(part(part(parsed, '0'), 'Plan'), 'Plan Rows'))
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
