import { InvalidArgumentException } from '../../../base/errors.ts'
import { scanStatement } from '../../sqlite/scan-statement.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { numberOf, numberReaders } from '../values/column-readers.ts'
import { exactDigits } from '../values/decimal.ts'
import type { Dialect, ListedValues } from './dialect.ts'
import { jsonList, standardClauses } from './dialect.ts'
import { doubleQuoted as quote, QuotedColumns, Texts } from './notation.ts'
import { sqliteSchema } from './sqlite-schema.ts'
import { sumsOfHalves } from './sum-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'

/** SQLite, in the version included in Node.js. */
export const sqlite: Dialect = {
  ...standardClauses,
  name: 'sqlite',
  system: 'sqlite',
  quote,
  placeholder: () => '?',
  columns: new QuotedColumns(quote),
  texts: new Texts(),
  // A decimal is stored as an integer or a double.
  values: {
    readers: { ...numberReaders, decimal: numberToDecimal },
    refuseInexact,
    // It compares numbers, and a double is exact for the digits that a column can have here.
    decimal: Number,
    cursorDecimal,
    // It treats NaN as NULL.
    cursorNonFinite: (word) => (word === 'NaN' ? undefined : Number(word)),
    comparesZones: true,
  },
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
  explain,
  preferIndexes: [],
  readsWholeTable: (plan, table) => plan.some((line) => line.trim() === `SCAN ${table}`),

  hidesFailedCommit: false,
}

function numberToDecimal(raw: unknown, { scale }: ColumnReference): string | undefined {
  const number = numberOf(raw)
  return number === undefined ? undefined : decimalText(number, scale)
}

/** A decimal with the digits of its column. Excess digits that SQLite let in are all shown. */
export function decimalText(number: number, scale: number): string {
  const text = number.toFixed(scale)
  return Number(text) === number ? text : String(number)
}

/**
 * Rejects a decimal that SQLite cannot store exactly: a double has 15 exact digits.
 * @throws InvalidArgumentException (E_ENTITY).
 */
export function refuseInexact({ name, precision }: ColumnReference): void {
  if (precision <= exactDigits) return
  throw new InvalidArgumentException(
    'E_ENTITY',
    `${name} is a decimal of ${precision} digits, but SQLite is exact only up to ${exactDigits}; use text() or another database`,
  )
}

function cursorDecimal(text: string, column: ColumnReference): number | undefined {
  refuseInexact(column)
  const isNumber = /^-?\d{1,30}(\.\d{1,30})?(e[+-]\d{1,3})?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : undefined
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

/** The plan of a SELECT in SQLite, which does not depend on the values: they are bound as NULL. */
async function explain(runner: StatementRunner, select: string): Promise<readonly string[]> {
  const { placeholders } = scanStatement(select)
  const rows = await runner.rows({
    sql: `EXPLAIN QUERY PLAN ${select}`,
    parameters: Array.from({ length: placeholders }, () => null),
  })
  const depths = new Map<unknown, number>()
  return rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${String(detail)}`
  })
}
