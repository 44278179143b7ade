import { randomBytes } from 'node:crypto'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { textReaders } from '../values/column-readers.ts'
import type { Dialect, ListedValues } from './dialect.ts'
import { postgresSchema } from './postgres-schema.ts'
import { doubleQuoted as quote, QuotedColumns, Texts } from './notation.ts'
import { standardClauses } from './dialect.ts'
import { exactSums } from './sum-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'

/** PostgreSQL. */
export const postgres: Dialect = {
  ...standardClauses,
  name: 'postgres',
  system: 'postgresql',
  quote,
  placeholder: (position) => `$${position}`,
  columns: new QuotedColumns(quote),
  texts: new Texts(),
  // It returns all values as text.
  values: {
    readers: textReaders,
    refuseInexact: () => undefined,
    decimal: (digits) => digits,
    // A column may hold more digits than declared, and these words.
    cursorDecimal: (text) =>
      /^(NaN|-?Infinity|-?\d{1,1000}(\.\d{1,1000})?)$/.test(text) ? text : undefined,
    cursorNonFinite: (word) => word,
    comparesZones: true,
  },
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
  explain,
  preferIndexes: ['SET LOCAL enable_seqscan = off', 'SET LOCAL enable_sort = off'],
  readsWholeTable,

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

/**
 * The generic plan of a SELECT in PostgreSQL, the one that it uses for all values. `EXPLAIN
 * (GENERIC_PLAN)` would give the same, but only since version 16.
 */
async function explain(runner: StatementRunner, select: string): Promise<readonly string[]> {
  const name = `explained_${randomBytes(8).toString('hex')}`
  const send = (sql: string): ReturnType<StatementRunner['rows']> =>
    runner.rows({ sql, parameters: [] })
  await send('SET LOCAL plan_cache_mode = force_generic_plan')
  await send(`PREPARE ${name} AS ${select}`)
  const [prepared] = await send(
    `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = '${name}'`,
  )
  const count = Number(prepared?.['count'] ?? 0)
  const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`
  const rows = await send(`EXPLAIN EXECUTE ${name}${values}`)
  await send(`DEALLOCATE ${name}`)
  return rows.map((row) => String(row['QUERY PLAN']))
}

/**
 * Whether a plan scans a table, or sorts rows that no condition on an index has found: both read every
 * row.
 */
function readsWholeTable(plan: readonly string[], table: string): boolean {
  const isScanned = plan.some((line) => {
    const [, name] = /Seq Scan on (\S+)/.exec(line) ?? []
    return name === table || name === `"${table}"`
  })
  if (isScanned) return true
  const isSorted = plan.some((line) => /^\s*(?:->\s*)?Sort\b/.test(line))
  return isSorted && !plan.some((line) => /(?:Index|Recheck) Cond:/.test(line))
}
