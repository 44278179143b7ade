import { invalidArgument } from '../../../../base/errors.ts'
import { sql } from '../../plan/statement.ts'
import { doubleQuoted as quote } from '../notation.ts'
import type { CatalogColumn, CatalogForeignKey, CatalogTable } from '../catalog/catalog-dialect.ts'
import type { StatementRunner } from '../statement-runner.ts'
import { alterTable, countingMisfits } from './alter-dialect.ts'
import type { AlterDialect, ColumnChange, IndexDefinition } from './alter-dialect.ts'

/** How PostgreSQL changes tables. */
export const postgresAlter: AlterDialect = {
  changeColumn,
  // Its indexes and foreign keys are dropped with it.
  dropColumn: (runner, { name }, column) => alter(runner, name, [`DROP COLUMN ${quote(column)}`]),
  addForeignKey: (runner, { table, clause, validate }) =>
    alter(runner, table.name, [`ADD ${clause}${validate ? '' : ' NOT VALID'}`]),
  dropForeignKeys: (runner, table, keys) => changeKeys(runner, 'DROP', table, keys),
  validateForeignKeys: (runner, table, keys) => changeKeys(runner, 'VALIDATE', table, keys),
  rounded: (column, digits) => `round(${column}::numeric, ${digits})`,
  countOrphans: null,
  refuseIndex: () => undefined,
  concurrently: {
    keyword: 'CONCURRENTLY',
    objection:
      'PostgreSQL builds and drops an index concurrently only outside a transaction; write `export const transaction = false` in the migration, and no other change',
    settle,
  },
  slow: {
    changeColumn: slowColumnChange,
    dropColumn: null,
    createIndex:
      'blocks every write until the index is built; use { concurrently: true }, with `export const transaction = false` in the migration',
    addForeignKey:
      'blocks every write to both tables until all rows are checked; use { validate: false }, and validateForeignKey in the next migration',
    dropForeignKey: null,
  },
}

function slowColumnChange(current: CatalogColumn, { column, type }: ColumnChange): string | null {
  const [from, to] = [normalType(current.type.toUpperCase()), normalType(type)]
  if (from !== to && !isWider(from, to)) {
    return 'writes every row anew and blocks everybody meanwhile; add a column, fill it in parts, and drop the old one when nobody reads it any more'
  }
  if (!current.isNullable || column.isNullable) return null
  const name = quote(column.name)
  return `reads every row for NULL and blocks everybody meanwhile; first add CHECK (${name} IS NOT NULL) NOT VALID with schema.run, and VALIDATE CONSTRAINT in the next migration: then it is not read again`
}

// These two need no change of the rows.
function isWider(from: string, to: string): boolean {
  const [, old] = /^VARCHAR\((\d+)\)$/.exec(from) ?? []
  const [, wanted] = /^VARCHAR\((\d+)\)$/.exec(to) ?? []
  if (old === undefined) return false
  return to === 'TEXT' || (wanted !== undefined && Number(wanted) >= Number(old))
}

async function changeColumn(
  runner: StatementRunner,
  change: ColumnChange,
  current: CatalogColumn,
): Promise<void> {
  const { table, column, type, default: given } = change
  const name = quote(column.name)
  const check = change.check(name)
  const checks = await ownChecks(runner, table, column.name)
  // A type that stays is left out: the clause alone is refused for a column that a view shows.
  const isSame = normalType(current.type.toUpperCase()) === normalType(type)
  // A cast to a text with a length would cut longer ones; without it they are an error.
  const isText = column.kind === 'text' || column.kind === 'enumeration'
  const using = isText ? '' : ` USING ${name}::${type}`
  const parts = [
    ...checks.map((old) => `DROP CONSTRAINT ${quote(old)}`),
    // The old default may not fit the new type.
    ...(isSame
      ? []
      : [`ALTER COLUMN ${name} DROP DEFAULT`, `ALTER COLUMN ${name} TYPE ${type}${using}`]),
    `ALTER COLUMN ${name} ${given === null ? 'DROP DEFAULT' : `SET DEFAULT ${given}`}`,
    `ALTER COLUMN ${name} ${column.isNullable ? 'DROP' : 'SET'} NOT NULL`,
    ...(check === null ? [] : [`ADD CHECK (${check})`]),
  ]
  await countingMisfits(
    change,
    // A savepoint, after which rows can still be counted.
    () => runner.transaction((inner) => alter(inner, table, parts)),
    () => misfits(runner, change),
  )
}

// A cast fails, and ends the statement, at the first value that it cannot convert; inside a function it
// can be asked for each.
function misfits(runner: StatementRunner, change: ColumnChange): Promise<number> {
  const { table, column, type } = change
  const name = quote(column.name)
  const isText = column.kind === 'text' || column.kind === 'enumeration'
  const check = change.check(isText ? `${name}::text` : `${name}::${type}`)
  const isTooLong = column.length === null ? 'FALSE' : `length(${name}::text) > ${column.length}`
  const isOdd = isText ? isTooLong : `NOT pg_temp.framework_fits(${name})`
  return runner.transaction(async (inner) => {
    const run = (statement: string): Promise<unknown> =>
      inner.run({ sql: statement, parameters: [] })
    await run(
      `CREATE OR REPLACE FUNCTION pg_temp.framework_fits(value anyelement) RETURNS boolean LANGUAGE plpgsql AS` +
        ` $$ BEGIN PERFORM value::${isText ? 'text' : type}; RETURN TRUE; EXCEPTION WHEN OTHERS THEN RETURN FALSE; END $$`,
    )
    const [row] = await inner.rows({
      sql: `SELECT count(*) AS misfits FROM ${quote(table)} WHERE ${name} IS NOT NULL AND CASE WHEN ${isOdd} THEN TRUE ELSE NOT (${check ?? 'TRUE'}) END`,
      parameters: [],
    })
    await run('DROP FUNCTION pg_temp.framework_fits(anyelement)')
    return Number(row?.['misfits'])
  })
}

// The checks that came with an enumeration or a time; others were written by hand and stay.
const ownCheck = "= ANY \\(|= '[^']*'::|< '24:00:00'"

async function ownChecks(
  runner: StatementRunner,
  table: string,
  column: string,
): Promise<readonly string[]> {
  const rows = await runner.rows(
    sql`SELECT conname AS name FROM pg_catalog.pg_constraint c
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attname = ${column}
      WHERE c.conrelid = to_regclass(${quote(table)}) AND c.conkey = ARRAY[a.attnum]
      AND c.contype = 'c' AND pg_get_constraintdef(c.oid) ~ ${ownCheck}`,
  )
  const names = rows.map(({ name }) => String(name))
  return names.filter((name) => name.startsWith(`${table}_${column}_check`))
}

function normalType(type: string): string {
  return type
    .replace('CHARACTER VARYING', 'VARCHAR')
    .replace('CHARACTER(', 'CHAR(')
    .replace(/^TIMESTAMP(\(\d\)) WITH TIME ZONE$/, 'TIMESTAMPTZ$1')
    .replaceAll(' ', '')
}

function changeKeys(
  runner: StatementRunner,
  verb: 'DROP' | 'VALIDATE',
  { name: table }: CatalogTable,
  keys: readonly CatalogForeignKey[],
): Promise<void> {
  const parts = keys.map(({ name }) => `${verb} CONSTRAINT ${quote(name)}`)
  return alter(runner, table, parts)
}

// A concurrent build that failed, or whose process died, leaves an index that is kept up to date and
// never used.
async function settle(
  runner: StatementRunner,
  index: IndexDefinition,
): Promise<'missing' | 'built'> {
  const [found] = await runner.rows(
    sql`SELECT i.indisvalid AS valid, i.indisunique AS is_unique, i.indpred IS NOT NULL AS is_partial,
        i.indrelid = to_regclass(${quote(index.table)}) AS is_ours,
        (SELECT string_agg(coalesce(a.attname::text, ''), chr(10) ORDER BY k.place) FROM unnest(i.indkey) WITH ORDINALITY AS k (num, place)
          LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num AND k.num > 0) AS columns
      FROM pg_catalog.pg_index i WHERE i.indexrelid = to_regclass(${quote(index.name)})`,
  )
  if (found === undefined) return 'missing'
  if (found['is_ours'] === true && found['valid'] === false) {
    await runner.run({
      sql: `DROP INDEX CONCURRENTLY ${quote(index.name)}`,
      parameters: [],
    })
    return 'missing'
  }
  const isSame =
    found['is_ours'] === true &&
    found['is_unique'] === index.isUnique &&
    found['is_partial'] === (index.where !== null) &&
    found['columns'] === index.columns.map(({ name }) => name ?? '').join('\n')
  if (isSame) return 'built'
  throw invalidArgument(
    `another index has the name ${index.name}; give this one its own with the option name`,
  )
}

function alter(runner: StatementRunner, table: string, parts: readonly string[]): Promise<void> {
  return alterTable(runner, quote(table), parts)
}
